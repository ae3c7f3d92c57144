package io.berth.core.policies.scaling;

import io.berth.core.policies.scaling.JobPast.State;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/**
 * The last states of a job that its scaling decisions saw, for policies that dampen. Confined to the main thread of
 * the advisor.
 */
final class JobHistory {

    static final int MAX_COUNT = 100;

    private final Deque<State> earlier = new ArrayDeque<>();
    private List<State> newestFirst = List.of();
    private State last = JobPast.NONE.last();
    private List<Integer> lastRan = List.of();
    private OptionalLong runningSince = OptionalLong.empty();
    private OptionalLong lastRescale = OptionalLong.empty();

    void update(long now, List<Integer> current, List<Integer> slots) {
        if (last.same(current, slots)) {
            return;
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
            earlier.addFirst(last);
            if (earlier.size() > MAX_COUNT) {
                earlier.removeLast();
            }
            newestFirst = List.copyOf(earlier);
        }
        last = new State(now, current, slots);
    }

    private static boolean isRunning(List<Integer> current) {
        return current.stream().anyMatch(parallelism -> parallelism > 0);
    }

    /** Costs no copy: the lists are immutable. */
    JobPast past(List<Integer> lastDesired) {
        return new JobPast(last, newestFirst, lastRan, runningSince, lastRescale, lastDesired);
    }

    void restore(JobPast past) {
        last = past.last();
        newestFirst = past.earlier();
        earlier.clear();
        earlier.addAll(newestFirst);
        lastRan = past.lastRan();
        runningSince = past.runningSince();
        lastRescale = past.lastRescale();
    }

    OptionalLong runningSince() {
        return runningSince;
    }

    OptionalLong lastRescale() {
        return lastRescale;
    }

    int size() {
        return newestFirst.size();
    }

    /** 0 is the newest of the earlier states. */
    State entry(int entry) {
        return newestFirst.get(entry);
    }
}
