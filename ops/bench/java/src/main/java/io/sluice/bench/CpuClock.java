package io.sluice.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time of processes, all their threads together, as the kernel counts it in {@code /proc/PID/stat}. */
final class CpuClock {
    /** Fields behind the closing bracket of the command name: utime is the 12th, stime the 13th (proc(5) fields 14 and 15). */
    private static final int UTIME = 11;

    private CpuClock() {}

    /** @return user and system time of all {@code pids}, in clock ticks ({@code getconf CLK_TCK} of them a second) */
    static long ticks(String[] pids) throws IOException {
        long sum = 0;
        for (String pid : pids) {
            if (pid.equals("-")) {
                continue;
            }
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            String[] field = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            sum += Long.parseLong(field[UTIME]) + Long.parseLong(field[UTIME + 1]);
        }
        return sum;
    }
}
