package io.sluice.ops;

import java.lang.management.ManagementFactory;

/** How long this JVM has been there: what a start takes for whoever waits for it. */
final class JvmAge {
    private JvmAge() {}

    static long ms() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    }
}
