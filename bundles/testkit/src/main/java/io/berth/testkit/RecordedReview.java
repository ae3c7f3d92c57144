package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.function.LongFunction;

/** When a policy asked to be called again, checked as the host checks it. */
final class RecordedReview {

    private static final long MAX_MILLIS = 86_400_000;
    private static final int REVIEWS = 100;
    private static final long MIN_MEAN_MILLIS = 1_000;

    private OptionalLong millis = OptionalLong.empty();

    void after(long asked) {
        if (asked < 1 || asked > MAX_MILLIS) {
            throw new AssertionError("asks for a review after " + asked + " ms: 1 to " + MAX_MILLIS + " is allowed");
        }
        millis = OptionalLong.of(Math.min(asked, millis.orElse(asked)));
    }

    OptionalLong millis() {
        return millis;
    }

    /**
     * Calls the policy whenever it wishes, until it does not wish to be called. It may ask soon a few times, but not
     * on and on.
     *
     * @param what is decided, for people
     * @param decision at a time in milliseconds; returns after how many the policy wants the next one
     */
    static void checkPace(String what, LongFunction<OptionalLong> decision) {
        long now = 0;
        for (int review = 0; review < REVIEWS; review++) {
            OptionalLong wish = decision.apply(now);
            if (wish.isEmpty()) {
                return;
            }
            now += wish.getAsLong();
        }
        assertThat(now / REVIEWS)
                .as("%s: mean time in milliseconds after which it asks to be called again, while nothing changes", what)
                .isGreaterThanOrEqualTo(MIN_MEAN_MILLIS);
    }
}
