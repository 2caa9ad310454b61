package io.sluice.plugins.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.plugins.bus.SoftStates.Versioned;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every adapter of {@link SoftStates} does. */
public abstract class SoftStatesContract {
    /** States of the test alone; all calls mean the same ones. */
    protected abstract SoftStates states();

    @Test
    void hasNothingOfAKindThatNobodySaved() throws Exception {
        assertThat(await(states().all("nothing"))).isEmpty();
    }

    @Test
    void keepsAStateUnderItsKindAndKey() throws Exception {
        await(states().save("kept", "a", new Versioned(1, "{\"x\":1}")));
        await(states().save("kept", "b", new Versioned(7, "{}")));

        assertThat(await(states().all("kept")))
                .hasSize(2)
                .containsEntry("a", new Versioned(1, "{\"x\":1}"))
                .containsEntry("b", new Versioned(7, "{}"));
        assertThat(await(states().all("keptElsewhere"))).isEmpty();
    }

    @Test
    void letsAHigherVersionWinWhateverTheOrder() throws Exception {
        await(states().save("order", "a", new Versioned(1, "old")));
        await(states().save("order", "a", new Versioned(3, "new")));
        await(states().save("order", "a", new Versioned(2, "late")));

        assertThat(await(states().all("order"))).containsEntry("a", new Versioned(3, "new"));
    }

    @Test
    void keepsTheFirstOfTwoWithTheSameVersion() throws Exception {
        await(states().save("same", "a", new Versioned(1, "first")));
        await(states().save("same", "a", new Versioned(1, "second")));

        assertThat(await(states().all("same"))).containsEntry("a", new Versioned(1, "first"));
    }

    @Test
    void endsWithTheHighestOfManyAtOnce() throws Exception {
        List<Future<Void>> saves = new ArrayList<>();
        for (int version = 1; version <= 100; version++) {
            int mixed = version * 37 % 101;
            saves.add(states().save("many", "a", new Versioned(mixed, "v" + mixed)));
        }
        await(Future.all(saves));

        assertThat(await(states().all("many"))).containsEntry("a", new Versioned(100, "v100"));
    }

    @Test
    void forgetsWhatIsRemovedAndTakesItAnewFromAnyVersion() throws Exception {
        await(states().save("gone", "a", new Versioned(5, "old")));
        await(states().remove("gone", "a"));
        await(states().remove("gone", "never"));
        assertThat(await(states().all("gone"))).isEmpty();

        await(states().save("gone", "a", new Versioned(1, "anew")));
        assertThat(await(states().all("gone"))).containsEntry("a", new Versioned(1, "anew"));
    }

    /** The result; fails where it does not come. */
    protected static <T> T await(Future<T> future) throws Exception {
        return future.toCompletionStage().toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
