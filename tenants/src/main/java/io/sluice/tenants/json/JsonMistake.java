package io.sluice.tenants.json;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** Says to whoever wrote a JSON text what is wrong with it. A parser's own words are for its users, and name its classes and switches. */
public final class JsonMistake {
    private JsonMistake() {}

    /** What {@link StrictJson} found wrong, and where; without a name from the text or the parser. */
    public static String words(JsonProcessingException wrong) {
        return what(wrong) + where(wrong.getLocation());
    }

    private static String what(JsonProcessingException wrong) {
        if (wrong instanceof StreamConstraintsException) {
            return "nested deeper than " + StrictJson.DEPTH_MAX
                    + ", or with a longer number, name or string than is read";
        }
        String theirs = wrong.getOriginalMessage();
        if (theirs != null && theirs.startsWith("Duplicate field")) {
            return "an object has the same key twice; send it once";
        }
        return theirs != null && theirs.startsWith("Non-standard token")
                ? "NaN and Infinity are no numbers of JSON"
                : "not valid JSON";
    }

    private static String where(JsonLocation place) {
        return place == null || place.getLineNr() < 1
                ? ""
                : " (line " + place.getLineNr() + ", column " + place.getColumnNr() + ")";
    }
}
