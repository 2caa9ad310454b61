package io.sluice.tenants.json;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import java.lang.invoke.CallSite;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Writes records as the JSON that {@link #reader} reads back into equal records, at a third of the mapper's cost: a
 * decision record is written for every request. Members that are null are left out, and those of {@link Written} records that are
 * 0 or false. Components may be numbers, flags, text, enums, instants, records, lists of these, and types with one
 * {@link JsonValue} text; everything else is handed to the mapper.
 * One writer per thread; its buffer is used again.
 */
public final class RecordWriter {
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");
    private static final byte[] NULL = ascii("null");

    /** Doubles up to here hold every whole number. */
    private static final double WHOLE_MAX = 1L << 53;

    /** A figure with at most six decimals is written as such: milliseconds with nanoseconds. */
    private static final double MILLIONTHS = 1_000_000;

    /** 00 to 99. */
    private static final byte[] PAIRS =
            ascii(IntStream.range(0, 100).mapToObj(i -> i / 10 + "" + i % 10).collect(Collectors.joining()));

    private static final Map<Class<?>, Shape> SHAPES = new ConcurrentHashMap<>();

    private byte[] buffer = new byte[4_096];
    private int length;
    private long second = Long.MIN_VALUE;
    private byte[] secondText = {};

    /**
     * A record that is written so often that it names its members itself, all of them and in their order: faster than
     * what is found by reflection.
     */
    public interface Written {
        /** Writes each component, by its own name, with the methods of {@code out} that take a name. */
        void members(RecordWriter out);
    }

    /** A type that is one text, which it spells itself: letters, digits and points only. */
    public interface Spelled {
        /** Writes the text, without quotes. */
        void spell(RecordWriter out);
    }

    /** Reads what was written: a number that is not there is 0, a flag that is not there is false. */
    public static ObjectReader reader(Class<? extends Record> type) {
        return StrictJson.MAPPER.readerFor(type).without(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    }

    /** Writes the JSON of {@code value}, UTF-8, in place of what was written before. */
    public void write(Record value) {
        length = 0;
        object(value);
    }

    /** How many bytes were written. */
    public int length() {
        return length;
    }

    /** Copies what was written. */
    public void copyTo(byte[] target, int at) {
        System.arraycopy(buffer, 0, target, at, length);
    }

    /**
     * Members that are the same each time, as JSON with a comma before each; not changed afterwards.
     *
     * <p>One copy is much faster than words that are spelled.
     */
    public void same(byte[] members) {
        put(members);
    }

    /** A member with a whole number; left out where it is 0. */
    public void whole(String name, long value) {
        if (value != 0) {
            name(name);
            whole(value);
        }
    }

    /** A member with any number; left out where it is 0. */
    public void decimal(String name, double value) {
        if (value != 0 || negativeZero(value)) {
            name(name);
            decimal(value);
        }
    }

    /** A member that is true or false; left out where it is false. */
    public void flag(String name, boolean value) {
        if (value) {
            name(name);
            flag(true);
        }
    }

    /** A member with text; left out where it is null. */
    public void text(String name, String value) {
        if (value != null) {
            name(name);
            text(value);
        }
    }

    /** A member that names its own members; left out where it is null. */
    public void object(String name, Written value) {
        if (value != null) {
            name(name);
            written(value);
        }
    }

    /** A list of such members; left out where it is null. */
    public void each(String name, List<? extends Written> values) {
        if (values == null) {
            return;
        }
        name(name);
        put('[');
        for (int i = 0; i < values.size(); i++) {
            if (i > 0) {
                put(',');
            }
            written(values.get(i));
        }
        put(']');
    }

    /** A member that spells its text itself; left out where it is null. */
    public void spelled(String name, Spelled value) {
        if (value != null) {
            name(name);
            spelled(value);
        }
    }

    /** A member with the name of a constant; left out where it is null. */
    public void word(String name, Enum<?> value) {
        if (value != null) {
            name(name);
            text(value.name());
        }
    }

    /** A member with a time; left out where it is null. */
    public void time(String name, Instant value) {
        if (value != null) {
            name(name);
            instant(value);
        }
    }

    /** A member of any other type, which is found out each time; left out where it is null. */
    public void any(String name, Object value) {
        if (value != null) {
            name(name);
            any(value);
        }
    }

    @SuppressWarnings("deprecation") // copies the low bytes, which is all that a name has, and has no equal in speed
    private void name(String name) {
        int chars = name.length();
        ensure(chars + 4);
        buffer[length] = ',';
        buffer[length + 1] = '"';
        name.getBytes(0, chars, buffer, length + 2);
        length += chars + 4;
        buffer[length - 2] = '"';
        buffer[length - 1] = ':';
    }

    private void written(Written value) {
        int start = length;
        value.members(this);
        braces(start);
    }

    private void spelled(Spelled value) {
        put('"');
        value.spell(this);
        put('"');
    }

    private void object(Object value) {
        if (value instanceof Written written) {
            written(written);
            return;
        }
        Shape shape = SHAPES.computeIfAbsent(value.getClass(), Shape::of);
        if (shape.text != null) {
            text(shape.text.apply(value));
            return;
        }
        int start = length;
        shape.members.forEach(member -> member.write(this, value));
        braces(start);
    }

    /** Around what was written since, which begins with a comma where there is any. */
    private void braces(int start) {
        if (length == start) {
            put('{');
        } else {
            buffer[start] = '{'; // in place of the first comma
        }
        put('}');
    }

    private void any(Object value) {
        if (value instanceof String text) {
            text(text);
        } else if (value instanceof Spelled spelled) {
            spelled(spelled);
        } else if (value instanceof Record) {
            object(value);
        } else if (value instanceof List<?> list) {
            list(list);
        } else if (value instanceof Enum<?> word) {
            text(word.name());
        } else if (value instanceof Instant instant) {
            instant(instant);
        } else if (value instanceof Integer || value instanceof Long) {
            whole(((Number) value).longValue());
        } else if (value instanceof Double number) {
            decimal(number);
        } else {
            other(value);
        }
    }

    private void list(List<?> list) {
        put('[');
        for (int i = 0; i < list.size(); i++) {
            if (i > 0) {
                put(',');
            }
            Object each = list.get(i);
            if (each == null) {
                put(NULL);
            } else {
                any(each);
            }
        }
        put(']');
    }

    private void other(Object value) {
        try {
            put(StrictJson.MAPPER.writeValueAsBytes(value));
        } catch (JsonProcessingException notWritable) {
            throw new IllegalArgumentException("no JSON for " + value.getClass(), notWritable);
        }
    }

    private void flag(boolean value) {
        put(value ? TRUE : FALSE);
    }

    private void decimal(double value) {
        if (value == Math.rint(value) && Math.abs(value) < WHOLE_MAX && !negativeZero(value)) {
            whole((long) value);
            return;
        }
        long millionths = Math.round(value * MILLIONTHS);
        if (millionths / MILLIONTHS == value && millionths > 0 && millionths < WHOLE_MAX) {
            whole(millionths / 1_000_000);
            put('.');
            digits(millionths % 1_000_000, 6);
        } else if (Double.isFinite(value)) {
            put(ascii(Double.toString(value)));
        } else {
            text(Double.toString(value));
        }
    }

    /** So many millionths as the shortest plain decimal: what stands within a {@link Spelled}'s text. */
    public void millionths(long value) {
        if (value < 0) {
            put('-');
        }
        long units = Math.abs(value / 1_000_000);
        digits(units, length(units));
        long rest = Math.abs(value % 1_000_000);
        int decimals = 6;
        for (; decimals > 0 && rest % 10 == 0; decimals--) {
            rest /= 10;
        }
        if (decimals > 0) {
            put('.');
            digits(rest, decimals);
        }
    }

    private static boolean negativeZero(double value) {
        return value == 0 && Double.doubleToRawLongBits(value) != 0;
    }

    private void whole(long value) {
        long rest = value;
        if (rest < 0) {
            if (rest == Long.MIN_VALUE) {
                put(ascii(Long.toString(value)));
                return;
            }
            put('-');
            rest = -rest;
        }
        digits(rest, length(rest));
    }

    private static int length(long value) {
        int digits = 1;
        for (long power = 10; digits < 19 && value >= power; power *= 10) {
            digits++;
        }
        return digits;
    }

    /** Exactly {@code count} digits, with zeros in front; two at a time. */
    private void digits(long value, int count) {
        ensure(count);
        int at = length + count;
        long rest = value;
        for (; rest > Integer.MAX_VALUE; rest /= 100) {
            at = pair((int) (rest % 100), at);
        }
        int small = (int) rest;
        for (; at - length >= 2; small /= 100) {
            at = pair(small % 100, at);
        }
        if (at > length) {
            buffer[length] = (byte) ('0' + small);
        }
        length += count;
    }

    /** The two digits before {@code end}; gives where they begin. */
    private int pair(int value, int end) {
        buffer[end - 2] = PAIRS[2 * value];
        buffer[end - 1] = PAIRS[2 * value + 1];
        return end - 2;
    }

    /** As {@link Instant#toString}; the date is computed once per second. */
    private void instant(Instant instant) {
        if (instant.getEpochSecond() != second) {
            second = instant.getEpochSecond();
            String text = Instant.ofEpochSecond(second).toString();
            secondText = ascii("\"" + text.substring(0, text.length() - 1));
        }
        put(secondText);
        int nanos = instant.getNano();
        if (nanos != 0) {
            int digits = nanos % 1_000_000 == 0 ? 3 : nanos % 1_000 == 0 ? 6 : 9;
            put('.');
            digits(digits == 3 ? nanos / 1_000_000 : digits == 6 ? nanos / 1_000 : nanos, digits);
        }
        put('Z');
        put('"');
    }

    private void text(String text) {
        int chars = text.length();
        ensure(chars + 2);
        int at = length + 1;
        int odd = 0; // negative once a character is no ASCII, or must be escaped: one look at all is faster than a way
        // out for each
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            buffer[at + i] = (byte) c;
            odd |= (c - ' ') | ('~' - c) | ((c ^ '"') - 1) | ((c ^ '\\') - 1);
        }
        buffer[length] = '"';
        if (odd < 0) {
            length++;
            escaped(text);
        } else {
            length = at + chars;
        }
        put('"');
    }

    private void escaped(String text) {
        put(new String(JsonStringEncoder.getInstance().quoteAsString(text)).getBytes(StandardCharsets.UTF_8));
    }

    private void put(char ascii) {
        ensure(1);
        buffer[length++] = (byte) ascii;
    }

    private void put(byte[] bytes) {
        ensure(bytes.length);
        System.arraycopy(bytes, 0, buffer, length, bytes.length);
        length += bytes.length;
    }

    private void ensure(int more) {
        if (buffer.length - length < more) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** One component of a record class, with a comma before it. */
    private interface Member {
        void write(RecordWriter out, Object owner);
    }

    /** What instances of one class look like: members, or one text. */
    private static final class Shape {
        private final List<Member> members;
        private final Function<Object, String> text;

        private Shape(List<Member> members, Function<Object, String> text) {
            this.members = members;
            this.text = text;
        }

        static Shape of(Class<?> type) {
            for (Method method : type.getMethods()) {
                if (method.isAnnotationPresent(JsonValue.class) && method.getReturnType() == String.class) {
                    return new Shape(List.of(), accessor(type, method, Function.class, "apply", Object.class));
                }
            }
            return new Shape(
                    Arrays.stream(type.getRecordComponents()).map(Shape::member).toList(), null);
        }

        private static Member member(RecordComponent component) {
            byte[] name = ascii(",\"" + component.getName() + "\":");
            Class<?> owner = component.getDeclaringRecord();
            Method method = component.getAccessor();
            Class<?> type = component.getType();
            if (type == long.class) {
                ToLongFunction<Object> get = accessor(owner, method, ToLongFunction.class, "applyAsLong", long.class);
                return (out, value) -> {
                    out.put(name);
                    out.whole(get.applyAsLong(value));
                };
            }
            if (type == int.class) {
                ToIntFunction<Object> get = accessor(owner, method, ToIntFunction.class, "applyAsInt", int.class);
                return (out, value) -> {
                    out.put(name);
                    out.whole(get.applyAsInt(value));
                };
            }
            if (type == double.class) {
                ToDoubleFunction<Object> get =
                        accessor(owner, method, ToDoubleFunction.class, "applyAsDouble", double.class);
                return (out, value) -> {
                    out.put(name);
                    out.decimal(get.applyAsDouble(value));
                };
            }
            if (type == boolean.class) {
                Predicate<Object> get = accessor(owner, method, Predicate.class, "test", boolean.class);
                return (out, value) -> {
                    out.put(name);
                    out.flag(get.test(value));
                };
            }
            return reference(name, accessor(owner, method, Function.class, "apply", Object.class));
        }

        private static Member reference(byte[] name, Function<Object, Object> get) {
            return (out, value) -> {
                Object member = get.apply(value);
                if (member != null) {
                    out.put(name);
                    out.any(member);
                }
            };
        }

        /** The accessor as a lambda, which the JIT can see through where it can not see through reflection. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // F is what the class token in front names
        private static <F> F accessor(Class<?> owner, Method method, Class<?> lambda, String name, Class<?> result) {
            try {
                MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(owner, MethodHandles.lookup());
                MethodHandle handle = lookup.unreflect(method);
                Class<?> boxed =
                        MethodType.methodType(method.getReturnType()).wrap().returnType();
                CallSite site = LambdaMetafactory.metafactory(
                        lookup,
                        name,
                        MethodType.methodType(lambda),
                        MethodType.methodType(result, Object.class),
                        handle,
                        MethodType.methodType(result == Object.class ? boxed : result, owner));
                return (F) site.getTarget().invoke();
            } catch (Throwable notReadable) {
                throw new IllegalStateException("can not read " + method, notReadable);
            }
        }
    }
}
