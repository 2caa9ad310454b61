package io.sluice.data.request;

/** How an answer travels. */
enum AnswerForm {
    WHOLE("application/json"),
    /** Server-sent events. */
    STREAM("text/event-stream; charset=utf-8");

    private final String contentType;

    AnswerForm(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }
}
