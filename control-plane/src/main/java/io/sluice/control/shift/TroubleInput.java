package io.sluice.control.shift;

import java.util.List;

/**
 * What is known of the first rung of a scenario.
 *
 * @param samples the finished samples that count, oldest first; fewer than {@code wanted} where it was not watched for so long
 * @param wanted so many samples in a row make latency a trouble
 * @param recent the same samples and the running one, together
 * @param baselineP95Ms what is usual; 0 where unknown
 * @param resources the least share of the server's capacity that was in use within the last 30 s, 0 to 1; null where nobody reports it
 */
record TroubleInput(List<Figures> samples, int wanted, Figures recent, double baselineP95Ms, Double resources) {
    TroubleInput {
        samples = List.copyOf(samples);
    }
}
