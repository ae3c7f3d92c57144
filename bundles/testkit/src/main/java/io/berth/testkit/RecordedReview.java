package io.berth.testkit;

import io.berth.testkit.rules.Expect;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/** When a policy asked to be called again, checked as the host checks it. */
final class RecordedReview {

    private static final long MAX_MILLIS = 86_400_000;
    private static final int REVIEWS = 100;
    private static final long MIN_MEAN_MILLIS = 1_000;

    private OptionalLong millis = OptionalLong.empty();

    void after(long asked) {
        Expect.that(
                asked >= 1 && asked <= MAX_MILLIS,
                "asks for a review after %s ms: 1 to %s is allowed",
                asked,
                MAX_MILLIS);
        millis = OptionalLong.of(Math.min(asked, millis.orElse(asked)));
    }

    OptionalLong millis() {
        return millis;
    }

    /**
     * Calls the policy whenever it wishes, until it does not wish to be called. It may ask soon a few times, but not
     * on and on.
     *
     * @param decision at a time in milliseconds; returns after how many the policy wants the next one
     */
    static void checkPace(LongFunction<OptionalLong> decision) {
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
