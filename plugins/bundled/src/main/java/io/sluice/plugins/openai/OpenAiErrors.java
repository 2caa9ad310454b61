package io.sluice.plugins.openai;

import io.sluice.tenants.failure.FailureClass;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What an error of any OpenAI-compatible server means. One table: codes and types first, because they are meant for
 * programs; then the status; the message only where providers have no code for the matter. Numbers of four digits are GLM's.
 */
final class OpenAiErrors {
    private static final Set<String> QUOTA = Set.of(
            "insufficient_quota",
            "credit_balance_exhausted",
            "organization_spend_limit_exceeded",
            "project_spend_limit_exceeded",
            "organization_usage_limit_exceeded",
            "billing_hard_limit_reached",
            "billing_not_active",
            "billing_error",
            "enforced_spend_limit_reached",
            "contract_spend_limit_reached",
            "payment_required",
            "exceeded_current_quota_error",
            "arrearage",
            "1113",
            "1304",
            "1308",
            "1310");

    private static final Set<String> RATE = Set.of(
            "rate_limit_exceeded",
            "rate_limit_error",
            "rate_limit_reached_error",
            "slow_down",
            "ramp_limit_exceeded",
            "limit_requests",
            "limit_burst_rate",
            "resource_exhausted",
            "throttlingexception",
            "1302",
            "1303");

    private static final Set<String> OVERLOADED = Set.of(
            "server_is_overloaded",
            "overloaded_error",
            "overloaded",
            "engine_overloaded_error",
            "service_unavailable_error",
            "unavailable_error",
            "unavailable",
            "modelnotreadyexception",
            "1305",
            "1312");

    private static final Set<String> CONTEXT = Set.of(
            "context_length_exceeded",
            "context_window_exceeded",
            "exceed_context_size_error",
            "model_context_window_exceeded",
            "request_too_large",
            "1261");

    private static final Set<String> FILTER = Set.of(
            "content_filter",
            "content_policy_violation",
            "invalid_prompt",
            "responsibleaipolicyviolation",
            "data_inspection_failed",
            "datainspectionfailed",
            "image_content_policy_violation",
            "misalignment_policy_violation",
            "bio_policy",
            "1301");

    /** {@code model_not_found} is here because OpenAI means by it "does not exist or you do not have access to it". */
    private static final Set<String> AUTH = Set.of(
            "invalid_api_key",
            "invalidapikey",
            "authentication_error",
            "invalid_authentication_error",
            "permission_error",
            "permission_denied",
            "account_deactivated",
            "unsupported_country_region_territory",
            "model_not_found",
            "modelnotfound",
            "deploymentnotfound",
            "1000",
            "1001",
            "1002",
            "1003",
            "1004",
            "1211");

    /** What CUDA, ROCm and PyTorch say. */
    private static final List<String> OUT_OF_MEMORY_TEXTS = List.of(
            "cuda out of memory",
            "hip out of memory",
            "cuda error: out of memory",
            "outofmemoryerror",
            "cudaerrormemoryallocation",
            "cublas_status_alloc_failed");

    private static final List<String> CONTEXT_TEXTS = List.of(
            "maximum context length",
            "context length",
            "context window",
            "context size",
            "context too long",
            "prompt is too long",
            "input is too long",
            "exceeded model token limit",
            "input token length too long",
            "range of input length should be",
            "`inputs` must have less than",
            "`inputs` tokens + `max_new_tokens` must be",
            "reduce the length of the messages");

    private OpenAiErrors() {}

    /**
     * The class of an error.
     *
     * @param status of the answer, or what an error object within a 200 names; 0 where that names none
     */
    static FailureClass classify(int status, ErrorBody error, Vendor vendor) {
        String code = error.code().toLowerCase(Locale.ROOT);
        String type = error.type().toLowerCase(Locale.ROOT);
        String text = error.message().toLowerCase(Locale.ROOT);
        if (status >= 300 && status < 400) {
            return FailureClass.UPSTREAM_INTERNAL;
        }
        if (outOfMemory(status, text)) {
            return FailureClass.OUT_OF_MEMORY;
        }
        FailureClass byWord = byWord(code, type, text, vendor, error);
        if (byWord != null) {
            return byWord;
        }
        boolean callers = status == 0 || status == 400 || status == 413 || status == 422 || status == 404;
        if (callers && contains(text, CONTEXT_TEXTS)) {
            return FailureClass.CONTEXT_LENGTH;
        }
        if (status == 400 && text.contains("content management policy")) {
            return FailureClass.CONTENT_FILTER;
        }
        return status == 0 ? byText(code + ' ' + type, text) : byStatus(status, text, error);
    }

    /** "Out of memory" alone counts only where the server, not the request, is at fault. */
    private static boolean outOfMemory(int status, String text) {
        boolean servers = status == 0 || status == 424 || status >= 500;
        return contains(text, OUT_OF_MEMORY_TEXTS) || (servers && text.contains("out of memory"));
    }

    private static FailureClass byWord(String code, String type, String text, Vendor vendor, ErrorBody error) {
        if (minuteQuota(code, type, text, vendor)) {
            return FailureClass.RATE_LIMITED;
        }
        if (code.startsWith("throttling") || type.startsWith("throttling")) {
            return FailureClass.RATE_LIMITED;
        }
        if (is(QUOTA, code, type) || text.contains("insufficient balance")) {
            return FailureClass.QUOTA_EXHAUSTED;
        }
        if (is(OVERLOADED, code, type) || text.contains("experiencing high demand")) {
            return FailureClass.OVERLOADED;
        }
        if (is(RATE, code, type)) {
            return dailyQuota(error) ? FailureClass.QUOTA_EXHAUSTED : FailureClass.RATE_LIMITED;
        }
        if (is(CONTEXT, code, type)) {
            return FailureClass.CONTEXT_LENGTH;
        }
        if (is(FILTER, code, type)) {
            return FailureClass.CONTENT_FILTER;
        }
        return is(AUTH, code, type) ? FailureClass.AUTH : null;
    }

    /** DashScope calls its tokens per minute a quota, and says so in the words of OpenAI's empty account. */
    private static boolean minuteQuota(String code, String type, String text, Vendor vendor) {
        boolean quota = code.equals("insufficient_quota") || type.equals("insufficient_quota");
        return quota && (vendor == Vendor.DASHSCOPE || text.contains("allocated quota") || text.contains("aliyun"));
    }

    /** Gemini: the quota's id tells a limit per day from one per minute. */
    private static boolean dailyQuota(ErrorBody error) {
        return error.json() != null && error.json().toString().contains("PerDay");
    }

    private static boolean is(Set<String> words, String code, String type) {
        return words.contains(code) || words.contains(type);
    }

    private static boolean contains(String text, List<String> parts) {
        for (String part : parts) {
            if (text.contains(part)) {
                return true;
            }
        }
        return false;
    }

    private static FailureClass byStatus(int status, String text, ErrorBody error) {
        return switch (status) {
            case 401, 403, 407 -> FailureClass.AUTH;
            case 402 -> FailureClass.QUOTA_EXHAUSTED;
            case 404 -> error.json() == null ? FailureClass.UPSTREAM_INTERNAL : FailureClass.BAD_REQUEST;
            case 413 -> FailureClass.CONTEXT_LENGTH;
            case 408, 502, 504 -> FailureClass.NETWORK;
            // 409 and 425 say "again later"; 424 is how TGI reports its own failure; 499 is a proxy that gave up.
            case 409, 424, 425, 499 -> FailureClass.UPSTREAM_INTERNAL;
            case 429 -> FailureClass.RATE_LIMITED;
            // A server that is full says so in its code or its words; a bare 503 comes from a proxy that found none.
            case 503 -> text.contains("overload") ? FailureClass.OVERLOADED : FailureClass.NETWORK;
            case 529 -> FailureClass.OVERLOADED;
            default ->
                status >= 520 && status <= 530
                        ? FailureClass.NETWORK
                        : status >= 400 && status < 500 ? FailureClass.BAD_REQUEST : FailureClass.UPSTREAM_INTERNAL;
        };
    }

    /** An error object within a 200 that names no status: its words are all there is. */
    private static FailureClass byText(String words, String text) {
        if (words.contains("quota")) {
            return FailureClass.QUOTA_EXHAUSTED;
        }
        if (words.contains("rate_limit") || words.contains("too_many_requests") || text.contains("rate limit")) {
            return FailureClass.RATE_LIMITED;
        }
        if (words.contains("overload") || text.contains("overloaded")) {
            return FailureClass.OVERLOADED;
        }
        if (words.contains("authentication") || words.contains("permission")) {
            return FailureClass.AUTH;
        }
        if (words.contains("invalid_request") || words.contains("bad_request") || words.contains("badrequest")) {
            return FailureClass.BAD_REQUEST;
        }
        return words.contains("timeout") ? FailureClass.NETWORK : FailureClass.UPSTREAM_INTERNAL;
    }
}
