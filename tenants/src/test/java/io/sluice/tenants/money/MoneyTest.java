package io.sluice.tenants.money;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonMappingException;
import io.sluice.tenants.Seeds;
import io.sluice.tenants.json.StrictJson;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MoneyTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "1, 1000000",
        "0.000001, 1",
        "-0.000001, -1",
        "0.10, 100000",
        "00012.5, 12500000",
        "2.000000, 2000000",
        "999999999999.999999, 999999999999999999"
    })
    void readsPlainDecimalsExactly(String text, long micros) {
        assertThat(Money.parse(text)).contains(new Money(micros));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "1 ",
                " 1",
                "+1",
                "1e3",
                "1E3",
                "NaN",
                "Infinity",
                "1,5",
                "1.000.000",
                "1_000",
                ".5",
                "5.",
                "-",
                "--1",
                "0x10",
                "$1",
                "1.0000001",
                "1.1234567",
                "1000000000000",
                "٣",
                "1\n",
                "1\u0000",
                "１",
                "1d",
                "1f",
                "null"
            })
    void refusesEverythingElse(String text) {
        assertThat(Money.parse(text)).isEmpty();
    }

    @Test
    void refusesNull() {
        assertThat(Money.parse(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "36, 0.000036",
        "2000000, 2",
        "100000000, 100",
        "-1500000, -1.5",
        "9223372036854775807, 9223372036854.775807",
        "-9223372036854775808, -9223372036854.775808"
    })
    void writesTheShortestPlainDecimal(long micros, String text) {
        assertThat(new Money(micros)).hasToString(text);
    }

    @Test
    void everyAmountSurvivesTextAndJson() {
        Seeds.check(5_000, random -> {
            Money money = new Money(random.nextLong() >> random.nextInt(64));
            assertThat(new BigDecimal(money.toString()).movePointRight(6).longValueExact())
                    .isEqualTo(money.micros());
            String json = StrictJson.MAPPER.writeValueAsString(money);
            assertThat(json).isEqualTo("\"" + money + "\"");
            assertThat(StrictJson.MAPPER.readValue(json, Money.class)).isEqualTo(money);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1", "true", "\"1e3\"", "{\"micros\":1}", "\"\"", "\"9223372036854.775808\""})
    void jsonThatIsNoDecimalStringIsRefused(String json) {
        assertThatThrownBy(() -> StrictJson.MAPPER.readValue(json, Money.class))
                .isInstanceOf(JsonMappingException.class);
    }

    @Test
    void aSumThatOverflowsIsAnErrorAndNoWrongAmount() {
        assertThatThrownBy(() -> new Money(Long.MAX_VALUE).plus(new Money(1))).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void comparesByAmount() {
        assertThat(new Money(-1)).isLessThan(Money.ZERO);
        assertThat(Money.of("1.5").plus(Money.of("0.5"))).isEqualByComparingTo(Money.of("2"));
    }
}
