package io.berth.scorecard.planted;

import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import java.util.List;

/** Matching strategies that assign wrongly. */
public final class WrongAssignments {

    private static final String CONSTRAINTS = "assignsASlotOnlyToARequirementWithTheSameConstraints";
    private static final String ALLOCATED = "assignsEachSlotToWhatItWasAllocatedFor";
    private static final String MANY = "assignsAsManySlotsAsCanServeInAnyOrder";
    private static final String REVIEWS = "asksToBeCalledAgainOnlyNowAndThenForAssignments";
    private static final String RANDOM = "assignsWithinTheRulesForRandomInputs";

    private WrongAssignments() {}

    private interface Assigning {
        void assign(AssignmentSession session, AssignmentView input, AssignmentBuilder to);
    }

    private static FlawedStrategy assigning(Assigning assigning) {
        return new FlawedStrategy() {
            @Override
            void assign(AssignmentSession session, AssignmentView input, AssignmentBuilder to) {
                assigning.assign(session, input, to);
            }
        };
    }

    /** Passes on what a function of the slot lets through. */
    private record Some(AssignmentBuilder to, int least) implements AssignmentBuilder {

        @Override
        public void assign(int slot, int requirement) {
            if (slot >= least) {
                to.assign(slot, requirement);
            }
        }

        @Override
        public void unassigned(int requirement, String reason) {
            to.unassigned(requirement, reason);
        }

        @Override
        public void reviewAfter(long millis) {
            to.reviewAfter(millis);
        }
    }

    /** Does not say what slots were allocated for. */
    private record Forgetful(AssignmentView of) implements AssignmentView {

        @Override
        public long now() {
            return of.now();
        }

        @Override
        public long wallTime() {
            return of.wallTime();
        }

        @Override
        public int slots() {
            return of.slots();
        }

        @Override
        public ResourceProfile slotProfile(int slot) {
            return of.slotProfile(slot);
        }

        @Override
        public WorkerId slotWorker(int slot) {
            return of.slotWorker(slot);
        }

        @Override
        public int allocatedFor(int slot) {
            return -1;
        }

        @Override
        public int requirements() {
            return of.requirements();
        }

        @Override
        public ResourceProfile requirementProfile(int requirement) {
            return of.requirementProfile(requirement);
        }

        @Override
        public int count(int requirement) {
            return of.count(requirement);
        }

        @Override
        public int constraints(int requirement) {
            return of.constraints(requirement);
        }

        @Override
        public int slotConstraints(int slot) {
            return of.slotConstraints(slot);
        }

        @Override
        public boolean accepts(int requirement, int slot) {
            return of.accepts(requirement, slot);
        }
    }

    /** Each with the checks that find it. */
    public static List<Planted> all() {
        return List.of(
                new Planted(
                        "assignment-ignores-constraints",
                        assigning((session, input, to) -> {
                            session.assign(input, to);
                            if (input.slots() == 3 && input.requirements() == 3 && input.constraints(0) == 0) {
                                to.assign(2, 0);
                            }
                        }),
                        List.of(CONSTRAINTS),
                        "the rule of assignment that it breaks"),
                new Planted(
                        "assignment-forgets-what-slots-are-for",
                        assigning((session, input, to) -> session.assign(new Forgetful(input), to)),
                        List.of(ALLOCATED),
                        "the requirements of the slots that were allocated for 1 and 0"),
                new Planted(
                        "assignment-wants-to-be-called-all-the-time",
                        assigning((session, input, to) -> {
                            session.assign(input, to);
                            to.reviewAfter(500);
                        }),
                        List.of(REVIEWS),
                        "mean time in milliseconds"),
                new Planted(
                        "assignment-drops-a-slot",
                        assigning((session, input, to) -> session.assign(
                                input, new Some(to, input.slots() == 2 && input.allocatedFor(0) < 0 ? 1 : 0))),
                        List.of(MANY, RANDOM),
                        "leaves a slot that could serve"),
                new Planted(
                        "assignment-is-lazy",
                        assigning((session, input, to) ->
                                session.assign(input, new Some(to, input.slots() > 3 ? 1 : 0))),
                        List.of(RANDOM),
                        "assigned slots, of those that can serve"),
                new Planted(
                        "assignment-assigns-twice",
                        assigning((session, input, to) -> {
                            session.assign(input, to);
                            if (input.slots() > 4 && input.requirements() > 0) {
                                to.assign(0, 0);
                            }
                        }),
                        List.of(REVIEWS, RANDOM),
                        "the rule of assignment that it breaks"));
    }
}
