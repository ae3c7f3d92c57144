package io.berth.matching.rebalance;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.matching.AllocationsView;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** When which job may be asked for a slot again. Everything is forgotten with the session; then the pauses of the host hold. */
final class Pauses {

    /**
     * In milliseconds.
     *
     * @param interval between two times at which slots are asked for
     * @param pause of a job that was asked
     * @param refused of a job that kept its slot, or got another one on the same worker
     */
    record Limits(long interval, long pause, long refused) {}

    private record Place(JobId job, int worker) {}

    private record Asked(Place place, long at) {}

    /** A job that has not returned a slot after this time keeps it. */
    private static final long PATIENCE_MILLIS = 30_000;

    private final Limits limits;
    private final Map<AllocationId, Asked> asked = new HashMap<>();
    private final SortedMap<JobId, Long> until = new TreeMap<>(Comparator.comparing(JobId::value));
    private OptionalLong next = OptionalLong.empty();

    Pauses(Limits limits) {
        this.limits = limits;
    }

    /** In how many milliseconds slots may be asked for; 0: now. */
    long remaining(long now) {
        return next.isEmpty() ? 0 : Math.max(0, next.getAsLong() - now);
    }

    /** Looks at what became of the slots that were asked for some time ago. */
    void settle(AllocationsView slots, long now) {
        until.values().removeIf(end -> end <= now);
        Map<AllocationId, Asked> due = new HashMap<>(asked);
        due.values().removeIf(one -> one.at() + PATIENCE_MILLIS > now);
        if (due.isEmpty()) {
            return;
        }
        asked.keySet().removeAll(due.keySet());
        Map<Place, Long> places = new HashMap<>();
        due.values().forEach(one -> places.merge(one.place(), one.at(), Math::max));
        for (int slot = 0; slot < slots.limit(); slot++) {
            if (slots.present(slot)) {
                boolean kept = due.containsKey(slots.id(slot));
                boolean cameBack = slots.since(slot) > places.getOrDefault(place(slots, slot), Long.MAX_VALUE);
                if (kept || cameBack) {
                    until.put(slots.job(slot), now + limits.refused());
                }
            }
        }
    }

    private static Place place(AllocationsView slots, int slot) {
        return new Place(slots.job(slot), slots.worker(slot));
    }

    boolean isPaused(JobId job) {
        return until.containsKey(job);
    }

    /** A job is asked for a slot. */
    void ask(AllocationsView slots, int slot, long now) {
        asked.put(slots.id(slot), new Asked(place(slots, slot), now));
        until.put(slots.job(slot), now + limits.pause());
    }

    /** The next interval begins. */
    void rest(long now) {
        next = OptionalLong.of(now + limits.interval());
    }
}
