package io.sluice.plugins.openai;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An error as a provider words it, in whatever of the known shapes: OpenAI's object, a bare string (TGI), the flat form
 * (older vLLM, DashScope), FastAPI's {@code detail}, an array of one (Gemini).
 *
 * @param message never null; empty where there is none
 * @param type empty where there is none
 * @param code as text; empty where there is none
 * @param status the HTTP status that the body names; 0 where it names none
 * @param json the whole body; null where it is no JSON
 */
record ErrorBody(String message, String type, String code, int status, JsonNode json) {
    /** Nothing that can be read. */
    static final ErrorBody NONE = new ErrorBody("", "", "", 0, null);

    /** Reads the body of an answer with an error status; anything JSON counts. */
    static ErrorBody ofBody(JsonNode body) {
        if (body == null) {
            return NONE;
        }
        ErrorBody error = within(body);
        return error == null ? flat(body) : error;
    }

    /** The error inside a document that claims success; null where there is none. */
    static ErrorBody within(JsonNode document) {
        JsonNode root = document.isArray() && document.size() == 1 ? document.get(0) : document;
        if (!root.isObject()) {
            return null;
        }
        JsonNode error = root.path("error");
        if (error.isObject() && !error.isEmpty()) {
            return ofObject(error, root);
        }
        if (error.isTextual() && !error.textValue().isEmpty()) {
            return new ErrorBody(
                    error.textValue(), text(root, "error_type", "type"), text(root, "code"), status(root, root), root);
        }
        if (error.isBoolean() && error.booleanValue()) {
            return flat(root);
        }
        boolean flat = text(root, "object").equals("error")
                || text(root, "type").equals("error")
                || (!root.has("choices") && root.has("message") && (root.has("code") || root.has("type")));
        return flat ? flat(root) : null;
    }

    private static ErrorBody ofObject(JsonNode error, JsonNode root) {
        JsonNode inner = error.path("innererror");
        String code = text(error, "code");
        return new ErrorBody(
                text(error, "message"),
                text(error, "type", "status"),
                code.isEmpty() ? text(inner, "code") : code,
                status(error, root),
                root);
    }

    private static ErrorBody flat(JsonNode root) {
        if (!root.isObject()) {
            return new ErrorBody(root.isTextual() ? root.textValue() : "", "", "", 0, root);
        }
        JsonNode detail = root.path("detail");
        String message = text(root, "message", "msg");
        return new ErrorBody(
                !message.isEmpty() ? message : detail.isTextual() ? detail.textValue() : detail.toString(),
                text(root, "type", "error_type"),
                text(root, "code"),
                status(root, root),
                root);
    }

    /** The first member that is a text or a number, as text. */
    private static String text(JsonNode of, String... names) {
        for (String name : names) {
            JsonNode value = of.path(name);
            if (value.isTextual() || value.isNumber()) {
                return value.asText();
            }
        }
        return "";
    }

    private static int status(JsonNode error, JsonNode root) {
        for (JsonNode of : new JsonNode[] {error, root}) {
            for (String name : new String[] {"status_code", "http_status_code", "status", "code"}) {
                int status = number(of.path(name));
                if (status >= 400 && status <= 599) {
                    return status;
                }
            }
        }
        return 0;
    }

    private static int number(JsonNode value) {
        if (value.isTextual() && value.textValue().matches("\\d{3}")) {
            return Integer.parseInt(value.textValue());
        }
        return value.isIntegralNumber() && value.canConvertToInt() ? value.intValue() : 0;
    }
}
