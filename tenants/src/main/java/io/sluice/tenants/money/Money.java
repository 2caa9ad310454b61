package io.sluice.tenants.money;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.sluice.tenants.json.RecordWriter;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An amount of the tenant's currency in micro-units (one millionth), signed 64 bit. As text it is a plain decimal string with
 * at most six decimals; no float ever holds money.
 *
 * @param micros micro-units
 */
public record Money(long micros) implements Comparable<Money>, RecordWriter.Spelled {
    public static final Money ZERO = new Money(0);

    private static final long MICROS = 1_000_000;

    private static final String ZEROS = "000000";

    /** Plain decimals only: no exponent, no sign but minus, no thousands separator, at most 12 digits before the point. */
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,12}(\\.[0-9]{1,6})?");

    /** Reads a plain decimal; empty where the text is anything else (exponent, NaN, comma, more than six decimals). */
    public static Optional<Money> parse(String text) {
        if (text == null || !DECIMAL.matcher(text).matches()) {
            return Optional.empty();
        }
        return Optional.of(new Money(new BigDecimal(text).movePointRight(6).longValueExact()));
    }

    /** What {@link #toString} writes: any amount that 64 bits hold, 13 digits before the point. */
    private static final Pattern WRITTEN = Pattern.compile("-?[0-9]{1,13}(\\.[0-9]{1,6})?");

    /**
     * From JSON: takes whatever {@link #toString} writes, also sums and costs beyond what {@link #parse} lets people enter;
     * throws {@link IllegalArgumentException} where the text is no decimal amount or too large.
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Money of(String text) {
        if (text == null || !WRITTEN.matcher(text).matches()) {
            throw new IllegalArgumentException("not a decimal amount with at most 6 decimals");
        }
        try {
            return new Money(new BigDecimal(text).movePointRight(6).longValueExact());
        } catch (ArithmeticException beyond64Bits) {
            throw new IllegalArgumentException("amount too large", beyond64Bits);
        }
    }

    public Money plus(Money other) {
        return new Money(Math.addExact(micros, other.micros));
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(micros, other.micros);
    }

    /** As {@link #toString}, without a text in between. */
    @Override
    public void spell(RecordWriter out) {
        out.millionths(micros);
    }

    /** The shortest plain decimal, such as {@code 0.000036} or {@code 2}. */
    @JsonValue
    @Override
    public String toString() {
        long units = micros / MICROS;
        long rest = Math.abs(micros % MICROS);
        if (rest == 0) {
            return Long.toString(units);
        }
        int decimals = 6;
        while (rest % 10 == 0) {
            rest /= 10;
            decimals--;
        }
        String digits = Long.toString(rest);
        return (micros < 0 ? "-" : "") + Math.abs(units) + "." + ZEROS.substring(0, decimals - digits.length())
                + digits;
    }
}
