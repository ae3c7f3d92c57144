package io.berth.simulator.fault;

import io.berth.simulator.oracle.Ledger;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Searches a planted bug with a scene of chosen moments, where seeds would rarely find it. */
abstract class SceneSearch implements Function<long[], String> {

    private static final long SCENES = 3;

    private final LongConsumer scene;

    /** @param scene plays it with a seed, and throws when it finds something */
    SceneSearch(LongConsumer scene) {
        this.scene = scene;
    }

    @Override
    public final String apply(long[] ignored) {
        for (long seed = 1; seed <= SCENES; seed++) {
            try {
                scene.accept(seed);
            } catch (Ledger.Violation | AssertionError found) {
                return "scene " + seed + ": " + found.getMessage();
            }
        }
        return "";
    }
}
