package io.berth.testkit;

import java.util.OptionalLong;

/** When a policy asked to be called again, checked as the host checks it. */
final class RecordedReview {

    private static final long MAX_MILLIS = 86_400_000;

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
}
