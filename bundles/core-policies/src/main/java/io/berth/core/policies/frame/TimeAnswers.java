package io.berth.core.policies.frame;

import java.util.List;

/**
 * The answers to a call that read the time, so that the call can be made again.
 *
 * @param now answers of {@code PolicyContext.now()}, in their order
 * @param remaining answers of {@code PolicyContext.remainingMillis()}, in their order
 */
public record TimeAnswers(List<Run> now, List<Run> remaining) {

    /** Equal answers, one after another. Both times count milliseconds, so a call has few of them. */
    public record Run(long millis, long count) {}

    /** Whether the time was not read. */
    public boolean isNone() {
        return now.isEmpty() && remaining.isEmpty();
    }
}
