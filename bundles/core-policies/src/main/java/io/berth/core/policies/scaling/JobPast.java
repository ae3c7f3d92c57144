package io.berth.core.policies.scaling;

import io.berth.core.api.job.JobMeasures.Means;
import io.berth.policy.rules.scaling.WorkPeaks;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a view of a job remembers between decisions. Immutable.
 *
 * @param last the newest state that a decision saw; without vertices before the first one
 * @param measured what was known last of the tasks in it
 * @param earlier the states before it, newest first
 * @param lastRan parallelism that the job ran at last; empty when it never ran
 * @param runningSince see {@link io.berth.spi.scaling.JobView#runningSince}
 * @param lastRescale see {@link io.berth.spi.scaling.JobView#lastRescale}
 * @param lastDesired parallelism that the previous decision desired; empty before the first one
 * @param peaks see {@link io.berth.spi.scaling.JobView#peakWork}
 */
public record JobPast(
        State last,
        Means measured,
        List<Earlier> earlier,
        List<Integer> lastRan,
        OptionalLong runningSince,
        OptionalLong lastRescale,
        List<Integer> lastDesired,
        WorkPeaks peaks) {

    /** Nothing was decided yet. */
    public static final JobPast NONE = new JobPast(
            new State(0, List.of(), List.of()),
            Means.NONE,
            List.of(),
            List.of(),
            OptionalLong.empty(),
            OptionalLong.empty(),
            List.of(),
            WorkPeaks.NONE);

    /**
     * One state of the job.
     *
     * @param since when it was first seen, milliseconds of the monotonic clock
     * @param current parallelism of each vertex
     * @param slots of each group
     */
    public record State(long since, List<Integer> current, List<Integer> slots) {

        public State {
            current = List.copyOf(current);
            slots = List.copyOf(slots);
        }

        boolean same(List<Integer> otherCurrent, List<Integer> otherSlots) {
            return current.equals(otherCurrent) && slots.equals(otherSlots);
        }
    }

    /**
     * A state that has ended.
     *
     * @param measured what was known of its tasks at its end
     */
    public record Earlier(State state, Means measured) {}

    public JobPast {
        earlier = List.copyOf(earlier);
        lastRan = List.copyOf(lastRan);
        lastDesired = List.copyOf(lastDesired);
    }
}
