package io.berth.core.api.gateway;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a worker leaves. An operator and its backend each say it for themselves: one takes back or replaces only what it
 * has said itself, and the earlier deadline counts.
 *
 * @param drained that an operator drains it
 * @param announced that its backend takes it away
 */
public record WorkerLeaves(Optional<WorkerLeave> drained, Optional<WorkerLeave> announced) {

    /** It does not leave. */
    public static final WorkerLeaves NONE = new WorkerLeaves(Optional.empty(), Optional.empty());

    /** Whether it does not leave. */
    public boolean isEmpty() {
        return drained.isEmpty() && announced.isEmpty();
    }

    /** Why it leaves, up to two texts. */
    public List<String> reasons() {
        return Stream.of(drained, announced)
                .flatMap(Optional::stream)
                .map(WorkerLeave::reason)
                .toList();
    }
}
