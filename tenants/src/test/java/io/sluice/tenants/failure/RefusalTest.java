package io.sluice.tenants.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of the HTTP contract, row by row, and the front guard's further refusals. */
class RefusalTest {
    @ParameterizedTest
    @CsvSource({
        "400, invalid_json,            invalid_request_error",
        "400, invalid_request,         invalid_request_error",
        "400, duplicate_key,           invalid_request_error",
        "400, unknown_parameter,       invalid_request_error",
        "400, malformed_http,          invalid_request_error",
        "400, bad_host,                invalid_request_error",
        "400, unknown_scenario,        invalid_request_error",
        "400, scenario_required,       invalid_request_error",
        "400, context_length_exceeded, invalid_request_error",
        "400, content_filter,          invalid_request_error",
        "401, invalid_api_key,         authentication_error",
        "402, budget_exhausted,        insufficient_quota",
        "403, model_not_allowed,       permission_error",
        "403, scenario_not_allowed,    permission_error",
        "403, model_not_priced,        permission_error",
        "403, key_disabled,            permission_error",
        "404, model_not_found,         invalid_request_error",
        "404, not_found,               invalid_request_error",
        "405, method_not_allowed,      invalid_request_error",
        "408, request_timeout,         invalid_request_error",
        "409, request_in_flight,       invalid_request_error",
        "409, idempotency_key_reused,  invalid_request_error",
        "409, outcome_unknown,         invalid_request_error",
        "409, answer_too_large_to_keep, invalid_request_error",
        "413, body_too_large,          invalid_request_error",
        "414, uri_too_long,            invalid_request_error",
        "415, unsupported_media_type,  invalid_request_error",
        "417, expectation_failed,      invalid_request_error",
        "429, rate_limited,            rate_limit_error",
        "429, insufficient_quota,      insufficient_quota",
        "429, too_many_auth_failures,  rate_limit_error",
        "429, too_many_streams,        rate_limit_error",
        "429, queue_full,              rate_limit_error",
        "431, headers_too_large,       invalid_request_error",
        "500, internal_error,          server_error",
        "501, bad_transfer_encoding,   invalid_request_error",
        "502, upstream_failed,         upstream_error",
        "503, no_healthy_target,       overloaded_error",
        "503, draining,                overloaded_error",
        "503, not_ready,               overloaded_error",
        "503, idempotency_unavailable, overloaded_error",
        "503, caps_unavailable, overloaded_error",
        "504, deadline_exceeded,       upstream_error"
    })
    void eachCodeHasItsStatusAndType(int status, String code, String type) {
        Refusal refusal = Arrays.stream(Refusal.values())
                .filter(each -> each.code().equals(code))
                .findFirst()
                .orElseThrow();
        assertThat(refusal.status()).isEqualTo(status);
        assertThat(refusal.type()).isEqualTo(type);
    }

    @Test
    void theTableAboveIsWhole() {
        assertThat(Refusal.values()).hasSize(43);
    }

    @Test
    void noCodeStandsTwice() {
        assertThat(Arrays.stream(Refusal.values()).map(Refusal::code)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void aCodeIsAWordThatProgramsCanCompare(Refusal refusal) {
        assertThat(refusal.code()).matches("[a-z]+(_[a-z]+)*");
        assertThat(refusal.status()).isBetween(400, 504);
    }
}
