package io.sluice.data.money.journal;

import java.util.List;

/**
 * Says in fewer records what all records say, so that old segments can go: what it says stands at the begin of each new segment. Called
 * by the journal's thread, or while the journal is opened.
 */
public interface Summary {
    /** For journals that are kept whole. */
    Summary NONE = new Summary() {
        @Override
        public void read(Body body) {
            // nothing to remember
        }

        @Override
        public List<Body> records() {
            return List.of();
        }
    };

    /** One more record, in the order of the journal; its own records among them. */
    void read(Body body);

    /** Records that say the same as all that were read; empty where everything has to be kept. */
    List<? extends Body> records();
}
