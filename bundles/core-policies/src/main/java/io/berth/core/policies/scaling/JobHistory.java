package io.berth.core.policies.scaling;

import io.berth.core.api.job.JobMeasures.Means;
import io.berth.core.policies.scaling.JobPast.Earlier;
import io.berth.core.policies.scaling.JobPast.State;
import io.berth.policy.rules.scaling.WorkPeaks;
import io.berth.policy.rules.scaling.WorkPeaks.Peaks;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * The last states of a job that its scaling decisions saw, for policies that dampen. Confined to the main thread of
 * the advisor.
 */
final class JobHistory {

    static final int MAX_COUNT = 100;

    private final Deque<Earlier> earlier = new ArrayDeque<>();
    private List<Earlier> newestFirst = List.of();
    private State last = JobPast.NONE.last();
    private Means measured = Means.NONE;
    private List<Integer> lastRan = List.of();
    private OptionalLong runningSince = OptionalLong.empty();
    private OptionalLong lastRescale = OptionalLong.empty();
    private WorkPeaks peaks = WorkPeaks.NONE;

    /**
     * A decision sees a state.
     *
     * @param present what is measured in it
     * @param stopped what was known of the last tasks when they stopped
     */
    void update(long now, List<Integer> current, List<Integer> slots, Means present, Means stopped) {
        if (present.isKnown()) {
            peaks = peaks.with(now, work(current, present));
        }
        if (last.same(current, slots)) {
            keep(present);
            return;
        }
        if (current.equals(last.current())) {
            // Only the slots changed: until then the same tasks were measured.
            keep(present);
        } else if (isRunning(last.current()) && !isRunning(current)) {
            keep(stopped);
        }
        if (!current.equals(last.current())) {
            runningSince = isRunning(current) ? OptionalLong.of(now) : OptionalLong.empty();
        }
        if (isRunning(current)) {
            if (!lastRan.isEmpty() && !lastRan.equals(current)) {
                lastRescale = OptionalLong.of(now);
            }
            lastRan = current;
        }
        if (!last.current().isEmpty()) {
            earlier.addFirst(new Earlier(last, measured));
            if (earlier.size() > MAX_COUNT) {
                earlier.removeLast();
            }
            newestFirst = List.copyOf(earlier);
        }
        last = new State(now, current, slots);
        measured = present;
    }

    private static Peaks work(List<Integer> current, Means present) {
        double[] work = new double[current.size()];
        Arrays.setAll(work, vertex -> present.busy(vertex).orElse(Double.NaN) * current.get(vertex));
        return Peaks.of(work);
    }

    private void keep(Means known) {
        if (known.isKnown()) {
            measured = known;
        }
    }

    private static boolean isRunning(List<Integer> current) {
        return current.stream().anyMatch(parallelism -> parallelism > 0);
    }

    /** Costs no copy: the lists are immutable. */
    JobPast past(List<Integer> lastDesired) {
        return new JobPast(last, measured, newestFirst, lastRan, runningSince, lastRescale, lastDesired, peaks);
    }

    void restore(JobPast past) {
        last = past.last();
        measured = past.measured();
        newestFirst = past.earlier();
        earlier.clear();
        earlier.addAll(newestFirst);
        lastRan = past.lastRan();
        runningSince = past.runningSince();
        lastRescale = past.lastRescale();
        peaks = past.peaks();
    }

    OptionalLong runningSince() {
        return runningSince;
    }

    OptionalLong lastRescale() {
        return lastRescale;
    }

    WorkPeaks peaks() {
        return peaks;
    }

    int size() {
        return newestFirst.size();
    }

    /** 0 is the newest of the earlier states. */
    Earlier entry(int entry) {
        return newestFirst.get(entry);
    }
}
