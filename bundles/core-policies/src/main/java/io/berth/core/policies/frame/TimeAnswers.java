package io.berth.core.policies.frame;

import java.util.List;

/**
 * What a policy was told in one call that asked for the time, so that the call can be made again.
 *
 * @param now answers of {@code PolicyContext.now()}, in their order
 * @param remaining answers of {@code PolicyContext.remainingMillis()}, in their order
 */
public record TimeAnswers(List<Run> now, List<Run> remaining) {

    /** Equal answers, one after another. Both times count milliseconds, so a call has few of them. */
    public record Run(long millis, long count) {}

    /** Whether nothing was asked. */
    public boolean isNone() {
        return now.isEmpty() && remaining.isEmpty();
    }
}
