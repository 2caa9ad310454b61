package io.sluice.control.spend;

class MemorySpendLogTest extends SpendLogContract {
    @Override
    protected SpendLog open() {
        return new MemorySpendLog();
    }
}
