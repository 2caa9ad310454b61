package io.sluice.tenants.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.tenants.RandomDecision;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.json.StrictJson;
import org.junit.jupiter.api.Test;

class DecisionReplayPropertyTest {
    @Test
    void tenThousandStoredDecisionsAreMadeAgainWithoutADifference() {
        Seeds.check(10_000, random -> {
            DecisionRecord record = new RandomDecision(random).record();
            byte[] stored = StrictJson.MAPPER.writeValueAsBytes(record);
            DecisionRecord read = StrictJson.MAPPER.readValue(stored, DecisionRecord.class);
            assertThat(read).isEqualTo(record);
            assertThat(DecisionReplay.differences(read)).isEmpty();
        });
    }

    @Test
    void everyDoubleComesBackBitForBit() {
        Seeds.check(20_000, random -> {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                byte[] stored = StrictJson.MAPPER.writeValueAsBytes(new double[] {value});
                double read = StrictJson.MAPPER.readValue(stored, double[].class)[0];
                assertThat(Double.doubleToLongBits(read)).isEqualTo(Double.doubleToLongBits(value));
            }
        });
    }
}
