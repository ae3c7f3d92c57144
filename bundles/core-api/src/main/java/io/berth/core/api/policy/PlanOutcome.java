package io.berth.core.api.policy;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.spi.AllocationId;
import java.util.List;

/** Outcome of planning. */
public sealed interface PlanOutcome {

    /**
     * A validated plan. The owner checks it again, because its state may have changed.
     *
     * @param decision number of the decision; 0 when there was nothing to decide, so nothing was recorded
     * @param stateNumber of the input for this plan
     * @param runs slots to allocate
     * @param newWorkers spec index of each new worker; number i has the worker index {@code firstNew + i} in the runs
     * @param firstNew index of the first new worker in the runs
     * @param reasons why units lack slots
     * @param returns slots that jobs are to be asked for
     */
    record Planned(
            long decision,
            long stateNumber,
            PolicyIdentity distribution,
            PolicyIdentity matching,
            PlacementRuns runs,
            List<Integer> newWorkers,
            int firstNew,
            List<UnitReason> reasons,
            Returns returns)
            implements PlanOutcome {

        public Planned {
            newWorkers = List.copyOf(newWorkers);
            reasons = List.copyOf(reasons);
        }

        /** Without proposals to return slots. */
        public Planned(
                long decision,
                long stateNumber,
                PolicyIdentity distribution,
                PolicyIdentity matching,
                PlacementRuns runs,
                List<Integer> newWorkers,
                int firstNew,
                List<UnitReason> reasons) {
            this(decision, stateNumber, distribution, matching, runs, newWorkers, firstNew, reasons, Returns.NONE);
        }

        /** The runs as objects, for display and tests. */
        public List<Placement> placements() {
            return runs.list();
        }
    }

    /** No policy could decide, for example because there is no matching strategy. Jobs keep their slots. */
    record NotDecided(Reason why) implements PlanOutcome {

        public NotDecided(String text) {
            this(Reason.of(ReasonCode.PLANNING_FAILED, text));
        }

        /** The reason in one line. */
        public String reason() {
            return why.line();
        }
    }

    /**
     * A run of slots.
     *
     * @param unit index of the unit; {@code group}: index within the unit
     * @param worker index of the worker
     * @param count at least 1
     * @param minimum whether the run is part of the unit's minimum, which must be committed completely
     */
    record Placement(int unit, int group, int worker, int count, boolean minimum) {}

    /**
     * Slots that jobs are to be asked for, in the order of the proposals.
     *
     * @param giveBacks of the matching strategy
     * @param reclaims of the distribution policy
     */
    record Returns(List<GiveBack> giveBacks, List<Reclaim> reclaims) {

        public static final Returns NONE = new Returns(List.of(), List.of());

        public Returns {
            giveBacks = List.copyOf(giveBacks);
            reclaims = List.copyOf(reclaims);
        }

        public boolean isEmpty() {
            return giveBacks.isEmpty() && reclaims.isEmpty();
        }
    }

    /** A slot that its job is to be asked for. The reason is that of the policy, for people. */
    record GiveBack(AllocationId allocation, String reason) {}

    /**
     * Slots of a group that its job is to be asked for.
     *
     * @param unit index of the unit; {@code group}: index within the unit
     */
    record Reclaim(int unit, int group, int count, String reason) {}

    /** Why a unit lacks slots, as far as policies know. Texts of policies are leaves of the tree. */
    record UnitReason(int unit, Reason why) {

        /** The reason in one line. */
        public String reason() {
            return why.line();
        }
    }
}
