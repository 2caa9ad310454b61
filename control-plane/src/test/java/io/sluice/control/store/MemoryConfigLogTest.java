package io.sluice.control.store;

/** The log that other tests stand on keeps what every log keeps. */
class MemoryConfigLogTest extends ConfigLogContract {
    private final MemoryConfigLog log = new MemoryConfigLog();

    @Override
    protected ConfigLog open() {
        return log;
    }
}
