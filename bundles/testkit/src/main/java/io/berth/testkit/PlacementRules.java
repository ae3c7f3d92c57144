package io.berth.testkit;

import io.berth.policy.rules.placement.LeftOut;
import io.berth.policy.rules.placement.MissingMinimums;
import io.berth.policy.rules.placement.PlacementCheck;
import io.berth.policy.rules.placement.PlacementResult;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.policy.rules.placement.RoomLeft;
import io.berth.testkit.rules.BrokenRule;
import io.berth.testkit.rules.Expect;
import java.util.List;
import java.util.OptionalInt;

/**
 * Asserts that a placement breaks no rule. The rules are checked by the validator of the host itself. What the host
 * repairs or ignores, and a strategy should not do, is asserted beside it.
 */
final class PlacementRules {

    private final ArrayWorkersView workers;
    private final ArrayAdmittedView admitted;
    private final RecordedPlacement plan;
    private final RemainingCapacity rest = new RemainingCapacity();

    private PlacementRules(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        this.workers = workers;
        this.admitted = admitted;
        this.plan = plan;
    }

    static void check(ArrayWorkersView workers, ArrayAdmittedView admitted, RecordedPlacement plan) {
        checkUse(plan);
        PlacementRules rules = new PlacementRules(workers, admitted, plan);
        rules.rulesOfTheHost();
        rules.whatJobsAreAskedFor();
        rules.roomThatIsLeft();
    }

    /** Whether the strategy used the builder as it may, so far. */
    static void checkUse(RecordedPlacement plan) {
        plan.misuse().ifPresent(misuse -> {
            throw new BrokenRule("the rule of placement that it breaks with " + plan + ": " + misuse);
        });
    }

    private PlacementResult repeated() {
        PlacementResult result = new PlacementResult(workers, admitted);
        result.rules().begin();
        plan.repeat(result);
        result.rules().end();
        return result;
    }

    /** What the host does with an answer before it commits it, in the same order. */
    private void rulesOfTheHost() {
        PlacementResult result = repeated();
        PlacementCheck.violation(workers, admitted, result, rest).ifPresent(violation -> {
            throw new BrokenRule("the rule of placement that it breaks with " + plan + ": " + violation);
        });
        OptionalInt denied = result.deniedRank();
        int lastRank = denied.orElse(Integer.MAX_VALUE);
        PlacementResult kept = denied.isPresent() ? result.upTo(lastRank) : result;
        List<String> leftOut = MissingMinimums.of(workers, admitted, kept, rest, lastRank).leftOut().stream()
                .filter(minimum -> minimum.reason().isEmpty())
                .map(LeftOut::what)
                .toList();
        Expect.that(
                leftOut.isEmpty(),
                "minimums that there is room for, left out without a reason in %s: %s",
                plan,
                leftOut);
    }

    /** The host ignores a proposal for a job that may not be asked. */
    private void whatJobsAreAskedFor() {
        for (RecordedPlacement.GivenBack proposal : plan.givenBack()) {
            if (admitted.allocations().present(proposal.allocation())) {
                Expect.that(
                        admitted.allocations().returnable(proposal.allocation()),
                        "asks for %s, for which the job may not be asked",
                        proposal);
            }
        }
    }

    /**
     * What is left out must not fit what the plan leaves, where room alone decides: not for gangs of several profiles,
     * for which the host tries its own first fit, and not for slots that are to be spread.
     */
    private void roomThatIsLeft() {
        PlacementResult result = repeated();
        rest.beginAfter(workers, result);
        RoomLeft room = new RoomLeft(workers, result, rest);
        for (int from = 0, to; from < admitted.size(); from = to) {
            to = endOfGang(from);
            int missing = 0;
            boolean roomDecides = true;
            for (int entry = from; entry < to; entry++) {
                missing += admitted.count(entry) - plan.placed(entry);
                roomDecides &= admitted.spread(entry).isEmpty()
                        && result.kind(entry) == result.kind(from)
                        && !plan.leftOut().containsKey(entry);
            }
            if (missing > 0 && roomDecides) {
                long left = room.of(result.kind(from));
                Expect.that(
                        left < (admitted.gang(from) >= 0 ? missing : 1),
                        "room for entry %s, of which %s slots were left out in %s: %s",
                        from,
                        missing,
                        plan,
                        left);
            }
        }
    }

    private int endOfGang(int from) {
        int to = from + 1;
        while (admitted.gang(from) >= 0 && to < admitted.size() && admitted.gang(to) == admitted.gang(from)) {
            to++;
        }
        return to;
    }
}
