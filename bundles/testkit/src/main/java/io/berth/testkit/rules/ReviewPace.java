package io.berth.testkit.rules;

import java.util.OptionalLong;
import java.util.function.LongFunction;

/** How often a policy may ask to be called again. */
public final class ReviewPace {

    private static final int REVIEWS = 100;
    private static final long MIN_MEAN_MILLIS = 1_000;

    private ReviewPace() {}

    /**
     * Calls the policy whenever it wishes, until it does not wish to be called. It may ask soon a few times, but not
     * on and on.
     *
     * @param decision at a time in milliseconds; returns after how many the policy wants the next one
     * @throws BrokenRule when it asks too often
     */
    public static void check(LongFunction<OptionalLong> decision) {
        long now = 0;
        for (int review = 0; review < REVIEWS; review++) {
            OptionalLong wish = decision.apply(now);
            if (wish.isEmpty()) {
                return;
            }
            now += wish.getAsLong();
        }
        Expect.that(
                now / REVIEWS >= MIN_MEAN_MILLIS,
                "mean time in milliseconds after which it asks to be called again, while nothing changes: %s, at least %s"
                        + " is required",
                now / REVIEWS,
                MIN_MEAN_MILLIS);
    }
}
