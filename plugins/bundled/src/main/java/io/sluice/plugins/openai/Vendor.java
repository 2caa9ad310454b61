package io.sluice.plugins.openai;

import java.util.Locale;

/** Who answers, as far as it changes what an error code means. Told by the host, because bodies do not say. */
enum Vendor {
    /** Alibaba's DashScope (Qwen): its {@code insufficient_quota} is a limit per minute. */
    DASHSCOPE,
    /** Everybody whose codes mean what OpenAI's mean, or who has codes of his own. */
    OTHER;

    static Vendor ofHost(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        return name.endsWith(".aliyuncs.com") || name.equals("aliyuncs.com") ? DASHSCOPE : OTHER;
    }
}
