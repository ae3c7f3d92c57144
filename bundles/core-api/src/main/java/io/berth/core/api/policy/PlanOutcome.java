package io.berth.core.api.policy;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.List;

/** Outcome of planning. */
public sealed interface PlanOutcome {

    /**
     * A validated plan. The owner checks it once more against its state, which may have changed since.
     *
     * @param decision number of the decision, 0 when there was nothing to decide and nothing was recorded
     * @param stateNumber of the input that it was made from
     * @param runs slots to allocate
     * @param newWorkers spec index of each new worker; worker index {@code firstNew + i} in the runs
     * @param firstNew index of the first new worker in the runs
     * @param reasons why units lack slots
     */
    record Planned(
            long decision,
            long stateNumber,
            PolicyIdentity distribution,
            PolicyIdentity matching,
            PlacementRuns runs,
            List<Integer> newWorkers,
            int firstNew,
            List<UnitReason> reasons)
            implements PlanOutcome {

        public Planned {
            newWorkers = List.copyOf(newWorkers);
            reasons = List.copyOf(reasons);
        }

        /** The runs one by one, for people and tests. */
        public List<Placement> placements() {
            return runs.list();
        }
    }

    /** No policy could decide: {@code no matching strategy}, for example. Jobs keep what they have. */
    record NotDecided(Reason why) implements PlanOutcome {

        public NotDecided(String text) {
            this(Reason.of(ReasonCode.PLANNING_FAILED, text));
        }

        /** In one line. */
        public String reason() {
            return why.line();
        }
    }

    /**
     * A run of slots.
     *
     * @param unit index of the unit, {@code group} index within it
     * @param worker index of the worker
     * @param count at least 1
     * @param minimum whether the run is part of the unit's minimum, to be committed whole
     */
    record Placement(int unit, int group, int worker, int count, boolean minimum) {}

    /** Why a unit lacks slots, as far as policies know; what policies said are leaves of it. */
    record UnitReason(int unit, Reason why) {

        /** In one line. */
        public String reason() {
            return why.line();
        }
    }
}
