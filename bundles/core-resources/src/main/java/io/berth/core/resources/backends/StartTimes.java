package io.berth.core.resources.backends;

import io.berth.core.api.time.Clock;
import io.berth.core.resources.state.WorkerEntry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How long workers of a spec usually take from the request until they have registered: the median of the last starts, for
 * specs whose backend does not say it. A median that differs little from the previous value changes nothing, because each
 * other value is an input of all plans of the pool. Confined to the main thread.
 */
final class StartTimes {

    /** How many starts a median uses at most. */
    private static final int MAX_STARTS = 5;
    /** A median counts when it differs from the value by more than this part of it. */
    private static final int NOTICEABLE_PART = 5;

    private final Clock clock;
    /** By BACKEND/SPEC. */
    private final SortedMap<String, Starts> specs = new TreeMap<>();

    StartTimes(Clock clock) {
        this.clock = clock;
    }

    private static final class Starts {
        private final Deque<Long> last = new ArrayDeque<>();
        private long usualMillis;
    }

    /** A process is requested for the pending worker. */
    void requested(WorkerEntry worker) {
        worker.requestedAt(clock.millis());
    }

    /** The request waits for something else than the start of the worker. */
    void notRequested(WorkerEntry worker) {
        worker.requestedAt(WorkerEntry.NOT_REQUESTED);
    }

    /** The process that was requested for the worker registers. */
    void registers(WorkerEntry worker) {
        if (worker.requestedAt() == WorkerEntry.NOT_REQUESTED) {
            return;
        }
        // 0 stands for a time that is not known.
        long millis = Math.max(1, clock.millis() - worker.requestedAt());
        worker.requestedAt(WorkerEntry.NOT_REQUESTED);
        Starts starts = specs.computeIfAbsent(worker.kind, first -> new Starts());
        starts.last.addLast(millis);
        if (starts.last.size() > MAX_STARTS) {
            starts.last.removeFirst();
        }
        long median = median(starts.last);
        if (starts.usualMillis == 0 || Math.abs(median - starts.usualMillis) > starts.usualMillis / NOTICEABLE_PART) {
            starts.usualMillis = median;
        }
    }

    /** The middle one, or the shorter of the two in the middle. */
    private static long median(Deque<Long> millis) {
        return millis.stream().sorted().toList().get((millis.size() - 1) / 2);
    }

    /** 0 if no start was measured. */
    long usualMillis(String kind) {
        Starts starts = specs.get(kind);
        return starts == null ? 0 : starts.usualMillis;
    }

    /** From how many starts it is known. */
    int learnedFrom(String kind) {
        Starts starts = specs.get(kind);
        return starts == null ? 0 : starts.last.size();
    }

    /** The spec is gone, or its workers are others from now on. */
    void forget(String kind) {
        specs.remove(kind);
    }

    /** Another backend takes the name. */
    void forgetBackend(String backend) {
        specs.keySet().removeIf(kind -> kind.startsWith(backend + "/"));
    }
}
