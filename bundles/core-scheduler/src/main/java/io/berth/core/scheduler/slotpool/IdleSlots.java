package io.berth.core.scheduler.slotpool;

import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Selects the slots that are returned because nothing requires them (FLIP-138, "Accepting resources"): at most the
 * excess of each group, first those that fit it least and were free longest. While the job recovers, no slot is idle.
 * Confined to the main thread of the job.
 */
final class IdleSlots {

    private static final Comparator<Use> FIRST_TO_GO = Comparator.<Use, Boolean>comparing(
                    use -> use.slot().group().equals(use.slot().madeFor()))
            .thenComparingLong(Use::freeSinceMillis)
            .thenComparing(use -> use.slot().allocation());

    private final PooledSlots slots;
    private final long timeoutMillis;
    private OptionalLong recoveringSince = OptionalLong.empty();

    IdleSlots(PooledSlots slots, long timeoutMillis) {
        this.slots = slots;
        this.timeoutMillis = timeoutMillis;
    }

    boolean isRecovering() {
        return recoveringSince.isPresent();
    }

    void recoveryBegins(long nowMillis) {
        if (recoveringSince.isEmpty()) {
            recoveringSince = OptionalLong.of(nowMillis);
        }
    }

    void recoveryEnds(long nowMillis) {
        recoveringSince.ifPresent(since -> {
            for (Use use : slots.all()) {
                if (!use.reserved()) {
                    long notCounted = nowMillis - Math.max(since, use.freeSinceMillis());
                    slots.put(use.free(use.freeSinceMillis() + notCounted));
                }
            }
        });
        recoveringSince = OptionalLong.empty();
    }

    /** Slots that are no longer required and were idle for too long. */
    List<AllocationId> due(long nowMillis) {
        return isRecovering() ? List.of() : excess(use -> use.freeSinceMillis() <= nowMillis - timeoutMillis);
    }

    /** Free slots in excess of the requirements, of those that may be returned. */
    List<AllocationId> excess(Predicate<Use> mayGo) {
        List<Use> candidates = new ArrayList<>();
        for (Use use : slots.all()) {
            if (!use.reserved() && mayGo.test(use) && slots.excess(use.slot().group()) > 0) {
                candidates.add(use);
            }
        }
        candidates.sort(FIRST_TO_GO);
        SortedMap<String, Integer> left = new TreeMap<>();
        List<AllocationId> excess = new ArrayList<>();
        for (Use use : candidates) {
            String group = use.slot().group();
            if (left.merge(group, 1, Integer::sum) <= slots.excess(group)) {
                excess.add(use.slot().allocation());
            }
        }
        return excess;
    }
}
