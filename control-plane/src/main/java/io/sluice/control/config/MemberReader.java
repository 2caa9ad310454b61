package io.sluice.control.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.tenants.config.UserErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Reads the members of one object of a document by name and type. A wrong type is a mistake at the member's path; what was
 * never asked for is unknown, which {@link #finish} reports.
 */
final class MemberReader {
    private final JsonNode object;
    private final Problems problems;
    private final TreeSet<String> known = new TreeSet<>();

    MemberReader(JsonNode object, Problems problems) {
        this.object = object;
        this.problems = problems;
        if (!object.isObject()) {
            problems.add(UserErrorCode.INVALID, "must be an object");
        }
    }

    Problems problems() {
        return problems;
    }

    boolean has(String name) {
        return object.has(name);
    }

    String text(String name) {
        return read(name, JsonNode::isTextual, JsonNode::textValue, "must be a string");
    }

    Integer whole(String name) {
        return read(
                name,
                value -> value.isIntegralNumber() && value.canConvertToInt(),
                JsonNode::intValue,
                "must be a whole number");
    }

    /** A member with a default: left out it has the default, but an explicit null is a mistake. */
    Integer wholeOr(String name, int otherwise) {
        known.add(name);
        return has(name) ? whole(name) : Integer.valueOf(otherwise);
    }

    Double number(String name) {
        return read(name, JsonNode::isNumber, JsonNode::doubleValue, "must be a number");
    }

    Boolean truth(String name) {
        return read(name, JsonNode::isBoolean, JsonNode::booleanValue, "must be true or false");
    }

    /** Likewise. */
    Boolean truthOr(String name, boolean otherwise) {
        known.add(name);
        return has(name) ? truth(name) : Boolean.valueOf(otherwise);
    }

    JsonNode any(String name) {
        return read(name, value -> true, value -> value, "");
    }

    /** Those of {@code names} that are there as an explicit null. */
    List<String> nulls(String... names) {
        return Stream.of(names).filter(name -> object.path(name).isNull()).toList();
    }

    /** The object under a name, read by {@code members}; null where it is missing or no object. */
    <T> T object(String name, Function<MemberReader, T> members) {
        JsonNode value = read(name, JsonNode::isObject, found -> found, "must be an object");
        if (value == null) {
            return null;
        }
        MemberReader reader = new MemberReader(value, problems.at(name));
        T read = members.apply(reader);
        reader.finish();
        return read;
    }

    /** The items of a list, each read by {@code item}; null where the member is missing. */
    <T> List<T> list(String name, Function<MemberReader, T> item) {
        JsonNode array = read(name, JsonNode::isArray, value -> value, "must be a list");
        if (array == null) {
            return null;
        }
        List<T> items = new ArrayList<>();
        for (int i = 0; i < array.size(); i++) {
            MemberReader reader = new MemberReader(array.get(i), problems.at(name, Integer.toString(i)));
            items.add(item.apply(reader));
            reader.finish();
        }
        return items;
    }

    /** A list of strings; null where it is missing or has anything else. */
    List<String> texts(String name) {
        JsonNode array = read(
                name,
                value -> value.isArray()
                        && StreamSupport.stream(value.spliterator(), false).allMatch(JsonNode::isTextual),
                value -> value,
                "must be a list of strings");
        return array == null
                ? null
                : StreamSupport.stream(array.spliterator(), false)
                        .map(JsonNode::textValue)
                        .toList();
    }

    private <T> T read(String name, Predicate<JsonNode> type, Function<JsonNode, T> as, String otherwise) {
        known.add(name);
        JsonNode value = object.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!type.test(value)) {
            problems.add(UserErrorCode.INVALID, otherwise, name);
            return null;
        }
        return as.apply(value);
    }

    /** Reports members that were asked for and are an explicit null, where leaving them out is the way to say nothing. */
    void refuseNulls() {
        for (String name : known) {
            if (object.path(name).isNull()) {
                problems.add(UserErrorCode.INVALID, "null is no value here; leave it out", name);
            }
        }
    }

    /** Reports members that nobody asked for. */
    void finish() {
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                problems.add(UserErrorCode.INVALID, "unknown member; known are " + String.join(", ", known), name);
            }
        });
    }
}
