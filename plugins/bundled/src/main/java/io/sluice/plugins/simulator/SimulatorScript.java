package io.sluice.plugins.simulator;

import java.util.List;

/**
 * How a simulated provider behaves.
 *
 * @param latencyMs before the first byte of any answer
 * @param firstTokenMs from there to the first token of a stream; a whole answer waits as long in all as its stream would
 * @param tokensPerSecond pace of a stream; 0 for as fast as the connection takes them
 * @param tokens length of an answer; 0 for one echo of the prompt
 * @param toolCall when a tool is called
 * @param seed of the random numbers behind {@code probability}
 * @param faults the first one that strikes wins
 */
public record SimulatorScript(
        long latencyMs,
        long firstTokenMs,
        int tokensPerSecond,
        int tokens,
        ToolUse toolCall,
        long seed,
        List<Fault> faults) {
    /** Answers at once and never fails. */
    public static final SimulatorScript DEFAULT = new SimulatorScript(0, 0, 0, 0, ToolUse.WHEN_ASKED, 1, List.of());

    /** When an offered tool is called. */
    public enum ToolUse {
        /** Where {@code tool_choice} demands it, or the prompt says "call" and the tool's name. */
        WHEN_ASKED("when-asked"),
        /** Whenever tools are offered. */
        ALWAYS("always"),
        /** Never. */
        NEVER("never");

        private final String word;

        ToolUse(String word) {
            this.word = word;
        }

        /** The word in a script. */
        public String word() {
            return word;
        }
    }

    public SimulatorScript {
        faults = List.copyOf(faults);
    }
}
