package io.sluice.data.request;

import io.sluice.data.recall.KeptAnswer;
import io.sluice.tenants.decision.RecallRecord;
import java.util.function.Consumer;

/** What memory has to say to a request. */
sealed interface Recalled {
    /**
     * Nothing: it is to be answered.
     *
     * @param outlet takes the answer
     */
    record Fresh(Outlet outlet) implements Recalled {}

    /** It was answered before. */
    record Replayed(KeptAnswer answer, RecallRecord record) implements Recalled {}

    /** It must not be answered. */
    record Refused(Stop stop) implements Recalled {}

    /** Its caller left while it waited. */
    record Left() implements Recalled {}

    /** Exactly one of the four. */
    default void fold(
            Consumer<Fresh> fresh, Consumer<Replayed> replayed, Consumer<Refused> refused, Consumer<Left> left) {
        if (this instanceof Fresh each) {
            fresh.accept(each);
        } else if (this instanceof Replayed each) {
            replayed.accept(each);
        } else if (this instanceof Refused each) {
            refused.accept(each);
        } else {
            left.accept((Left) this);
        }
    }
}
