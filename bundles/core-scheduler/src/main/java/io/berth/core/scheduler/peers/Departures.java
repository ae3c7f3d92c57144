package io.berth.core.scheduler.peers;

import io.berth.core.api.gateway.JobMasterGateway.LeavingWorker;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.time.Clock;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The workers that leave, as the ResourceManager said last. It stays valid while the job registers again: a worker that
 * leaves does not stay because nobody says so. Confined to the main thread of the job.
 */
public final class Departures {

    /** A restart before a deadline has at most this long to end its tasks and to return its slots. */
    private static final long MAX_MARGIN_MILLIS = 10_000;

    private static final int MAX_LISTED = 5;

    /** A deadline that differs by less is the same: it comes as time left, and messages take time. */
    private static final long PRECISION_MILLIS = 1_000;

    /** Both times are {@link WorkerLeave#NO_DEADLINE} without a deadline. */
    private record Departure(long deadlineMillis, long moveAtMillis, String reason) {}

    private final Clock clock;
    private final SortedMap<WorkerId, Departure> leaving = new TreeMap<>();

    public Departures(Clock clock) {
        this.clock = clock;
    }

    /** These workers leave, and no others. A list that says the same of a worker does not move its restart. */
    public void follow(List<LeavingWorker> workers) {
        Map<WorkerId, Departure> before = Map.copyOf(leaving);
        leaving.clear();
        workers.forEach(worker -> leaving.put(
                worker.worker(), departure(worker.leave(), Optional.ofNullable(before.get(worker.worker())))));
    }

    private Departure departure(WorkerLeave leave, Optional<Departure> before) {
        if (!leave.hasDeadline()) {
            return new Departure(WorkerLeave.NO_DEADLINE, WorkerLeave.NO_DEADLINE, leave.reason());
        }
        long deadline = clock.millis() + leave.millis();
        long moveAt = deadline - Math.min(MAX_MARGIN_MILLIS, leave.millis() / 2);
        if (before.isEmpty() || deadline - before.get().deadlineMillis() >= PRECISION_MILLIS) {
            return new Departure(deadline, moveAt, leave.reason());
        }
        Departure last = before.get();
        return last.deadlineMillis() - deadline < PRECISION_MILLIS
                ? new Departure(last.deadlineMillis(), last.moveAtMillis(), leave.reason())
                // Half of a time that is shorter now may end later than what was planned.
                : new Departure(deadline, Math.min(moveAt, last.moveAtMillis()), leave.reason());
    }

    /** The workers that leave. A copy. */
    public SortedSet<WorkerId> workers() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(leaving.keySet()));
    }

    /** When the tasks on these workers must be ended; {@link Long#MAX_VALUE} if none of them has a deadline. */
    public long millisLeft(Collection<WorkerId> of) {
        long first = of.stream()
                .map(leaving::get)
                .filter(Objects::nonNull)
                .mapToLong(Departure::moveAtMillis)
                .min()
                .orElse(WorkerLeave.NO_DEADLINE);
        return first == WorkerLeave.NO_DEADLINE ? Long.MAX_VALUE : Math.max(0, first - clock.millis());
    }

    /** For people: {@code moves from worker w1: drained by ann}. */
    public String describe(Collection<WorkerId> of) {
        Map<String, List<String>> byReason = new LinkedHashMap<>();
        of.stream().limit(MAX_LISTED).forEach(worker -> {
            Departure departure = leaving.get(worker);
            byReason.computeIfAbsent(departure == null ? "" : departure.reason(), reason -> new ArrayList<>())
                    .add(worker.value());
        });
        List<String> parts = new ArrayList<>();
        byReason.forEach((reason, workers) -> parts.add((workers.size() == 1 ? "worker " : "workers ")
                + String.join(", ", workers)
                + (reason.isEmpty() ? "" : ": " + reason)));
        return "moves from " + String.join("; ", parts)
                + (of.size() > MAX_LISTED ? " and " + (of.size() - MAX_LISTED) + " more" : "");
    }
}
