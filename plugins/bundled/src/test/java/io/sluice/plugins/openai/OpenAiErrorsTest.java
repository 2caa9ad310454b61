package io.sluice.plugins.openai;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.failure.FailureClass;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The table of wire.md §1.2, §2 and §3: what providers really answer, and the class of it. */
class OpenAiErrorsTest {
    private static FailureClass classify(int status, String body, Vendor vendor) {
        byte[] bytes = Wire.bytes(body);
        return OpenAiErrors.classify(status, ErrorBody.ofBody(ProviderJson.read(bytes, 0, bytes.length)), vendor);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // OpenAI
                "401|{'error':{'message':'Incorrect API key','type':'invalid_request_error','code':'invalid_api_key'}}|AUTH",
                "429|{'error':{'message':'Rate limit','type':'requests','code':'rate_limit_exceeded'}}|RATE_LIMITED",
                "429|{'error':{'message':'slow','type':'rate_limit_error','code':'slow_down'}}|RATE_LIMITED",
                "429|{'error':{'message':'You exceeded your current quota','type':'insufficient_quota','code':'insufficient_quota'}}|QUOTA_EXHAUSTED",
                "429|{'error':{'message':'x','type':'insufficient_quota','code':'credit_balance_exhausted'}}|QUOTA_EXHAUSTED",
                "429|{'error':{'message':'x','type':'x','code':'project_spend_limit_exceeded'}}|QUOTA_EXHAUSTED",
                "400|{'error':{'message':'x','type':'invalid_request_error','code':'context_length_exceeded'}}|CONTEXT_LENGTH",
                "400|{'error':{'message':'x','type':'invalid_request_error','code':'invalid_prompt'}}|CONTENT_FILTER",
                "400|{'error':{'message':'x','type':'invalid_request_error','code':'unsupported_parameter'}}|BAD_REQUEST",
                "404|{'error':{'message':'The model does not exist or you do not have access','code':'model_not_found'}}|AUTH",
                "404|{'error':{'message':'no such thing','type':'invalid_request_error','code':null}}|BAD_REQUEST",
                "500|{'error':{'message':'The server had an error','type':'server_error','code':null}}|UPSTREAM_INTERNAL",
                "503|{'error':{'message':'x','type':'service_unavailable_error','code':'server_is_overloaded'}}|OVERLOADED",
                // vLLM
                "400|{'error':{'message':'maximum context length is 4096 tokens','type':'BadRequestError','code':400}}|CONTEXT_LENGTH",
                "400|{'object':'error','message':'temperature must be non-negative','type':'BadRequestError','code':400}|BAD_REQUEST",
                "500|{'error':{'message':'CUDA out of memory. Tried to allocate 2 GiB','type':'InternalServerError','code':500}}|OUT_OF_MEMORY",
                "400|{'error':{'message':'torch.OutOfMemoryError: x','type':'BadRequestError','code':400}}|OUT_OF_MEMORY",
                "400|{'error':{'message':'my essay is about running out of memory','code':400}}|BAD_REQUEST",
                // TGI
                "429|{'error':'Model is overloaded','error_type':'overloaded'}|OVERLOADED",
                "424|{'error':'Request failed during generation: HIP out of memory','error_type':'generation'}|OUT_OF_MEMORY",
                "424|{'error':'Request failed during generation','error_type':'generation'}|UPSTREAM_INTERNAL",
                "422|{'error':'`inputs` tokens + `max_new_tokens` must be <= 4096','error_type':'validation'}|CONTEXT_LENGTH",
                "422|{'error':'`temperature` must be positive','error_type':'validation'}|BAD_REQUEST",
                // llama.cpp, Ollama
                "503|{'error':{'code':503,'message':'Loading model','type':'unavailable_error'}}|OVERLOADED",
                "400|{'error':{'code':400,'message':'the request exceeds the available context size','type':'exceed_context_size_error'}}|CONTEXT_LENGTH",
                "404|{'error':{'message':'model not found','type':'not_found_error','code':null}}|BAD_REQUEST",
                // Azure
                "400|{'error':{'code':'content_filter','message':'x','innererror':{'code':'ResponsibleAIPolicyViolation'}}}|CONTENT_FILTER",
                "404|{'error':{'code':'DeploymentNotFound','message':'x'}}|AUTH",
                "429|{'error':{'code':'429','message':'System is experiencing high demand'}}|OVERLOADED",
                "429|{'error':{'code':'429','message':'Rate limit is exceeded. Try again in 5 seconds.'}}|RATE_LIMITED",
                // DeepSeek
                "402|{'error':{'message':'Insufficient Balance','type':'unknown_error'}}|QUOTA_EXHAUSTED",
                // Qwen
                "429|{'error':{'code':'insufficient_quota','message':'Allocated quota exceeded, please increase your quota limit.'}}|RATE_LIMITED",
                "429|{'code':'Throttling.RateQuota','message':'Requests rate limit exceeded','request_id':'r'}|RATE_LIMITED",
                "400|{'code':'Arrearage','message':'Access denied','request_id':'r'}|QUOTA_EXHAUSTED",
                "400|{'error':{'code':'data_inspection_failed','message':'x'}}|CONTENT_FILTER",
                "400|{'code':'InvalidParameter','message':'Range of input length should be [1, 30720]'}|CONTEXT_LENGTH",
                // GLM
                "429|{'error':{'code':'1113','message':'x'}}|QUOTA_EXHAUSTED",
                "429|{'error':{'code':'1302','message':'x'}}|RATE_LIMITED",
                "429|{'error':{'code':1305,'message':'x'}}|OVERLOADED",
                "400|{'error':{'code':'1261','message':'x'}}|CONTEXT_LENGTH",
                "400|{'error':{'code':'1301','message':'x'}}|CONTENT_FILTER",
                "434|{'error':{'code':'434','message':'x'}}|BAD_REQUEST",
                // Kimi
                "429|{'error':{'type':'exceeded_current_quota_error','message':'x'}}|QUOTA_EXHAUSTED",
                "429|{'error':{'type':'rate_limit_reached_error','message':'x'}}|RATE_LIMITED",
                "429|{'error':{'type':'engine_overloaded_error','message':'x'}}|OVERLOADED",
                "400|{'error':{'type':'invalid_request_error','message':'Input token length too long'}}|CONTEXT_LENGTH",
                // Anthropic's and Gemini's compatible endpoints
                "529|{'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}|OVERLOADED",
                "429|[{'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'You exceeded your current quota','details':[{'violations':[{'quotaId':'RequestsPerMinute'}]}]}}]|RATE_LIMITED",
                "429|[{'error':{'code':429,'status':'RESOURCE_EXHAUSTED','message':'You exceeded your current quota','details':[{'violations':[{'quotaId':'RequestsPerDay'}]}]}}]|QUOTA_EXHAUSTED",
                // FastAPI
                "422|{'detail':[{'loc':['body'],'msg':'field required'}]}|BAD_REQUEST",
                // Pages of proxies
                "403||AUTH",
                "404|<html>nginx</html>|UPSTREAM_INTERNAL",
                "500|<html>oops</html>|UPSTREAM_INTERNAL",
                "502|<html>nginx</html>|NETWORK",
                "503|<html>nginx</html>|NETWORK",
                "504|<html>nginx</html>|NETWORK",
                "520|<html>cdn</html>|NETWORK",
                "522|<html>cdn</html>|NETWORK",
                "524|<html>cdn</html>|NETWORK",
                "408||NETWORK",
                "413|<html>too large</html>|CONTEXT_LENGTH",
                "301|<html>moved</html>|UPSTREAM_INTERNAL",
                "307||UPSTREAM_INTERNAL",
                "418||BAD_REQUEST"
            })
    void everyKnownErrorHasItsClass(int status, String body, FailureClass failure) {
        assertThat(classify(status, body == null ? "" : body.replace('\'', '"'), Vendor.OTHER))
                .isEqualTo(failure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'error':{'message':'quota','code':'insufficient_quota'}}|QUOTA_EXHAUSTED",
                "{'error':{'message':'ResourceExhausted','code':502}}|NETWORK",
                "{'error':{'message':'tool call validation failed','code':'tool_use_failed','status_code':400}}|BAD_REQUEST",
                "{'error':{'message':'x','http_status_code':422}}|BAD_REQUEST",
                "{'error':{'message':'x','type':'invalid_request_error'}}|BAD_REQUEST",
                "{'error':{'message':'x','type':'authentication_error'}}|AUTH",
                "{'error':{'message':'x','type':'rate_limit'}}|RATE_LIMITED",
                "{'error':{'message':'the model is overloaded'}}|OVERLOADED",
                "{'error':{'message':'CUDA out of memory'}}|OUT_OF_MEMORY",
                "{'error':'something broke'}|UPSTREAM_INTERNAL",
                "{'error':true}|UPSTREAM_INTERNAL",
                "{'object':'error','message':'x','code':400}|BAD_REQUEST"
            })
    void row69AnErrorWithinA200HasTheClassOfItsWords(String body, FailureClass failure) {
        String json = body.replace('\'', '"');

        Answer whole = Wire.document(json);
        Answer stream = Wire.stream(Wire.event(json));

        assertThat(whole.failed().failure()).isEqualTo(failure);
        assertThat(stream.failed().failure()).isEqualTo(failure);
    }

    @Test
    void dashScopesInsufficientQuotaIsALimitPerMinute() {
        String body = "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"You exceeded your current quota\"}}";

        assertThat(classify(429, body, Vendor.ofHost("dashscope-intl.aliyuncs.com")))
                .isEqualTo(FailureClass.RATE_LIMITED);
        assertThat(classify(429, body, Vendor.ofHost("evil-aliyuncs.com"))).isEqualTo(FailureClass.QUOTA_EXHAUSTED);
    }
}
