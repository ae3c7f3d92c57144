package io.berth.core.policies.guard;

import java.util.function.BooleanSupplier;

/**
 * How long a call may take.
 *
 * @param millis milliseconds until a call is given up
 * @param suspended whether nobody is to give up calls now, because the policy is in development; asked again after each
 *     {@code millis}, so that a call that hangs is given up once this ends
 */
public record CallDeadline(long millis, BooleanSupplier suspended) {

    public static CallDeadline of(long millis) {
        return new CallDeadline(millis, () -> false);
    }

    public boolean isSuspended() {
        return suspended.getAsBoolean();
    }
}
