package io.berth.scorecard.scaling;

import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Cost;
import io.berth.scorecard.check.Section;
import io.berth.scorecard.check.Settings;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;

/** All checks of a scaling policy. */
public final class ScalingChecks {

    private record Contract(ScalingPolicyFactory factory, Seeds seeds) implements ScalingPolicyContract {}

    private ScalingChecks() {}

    /** The checks, in the order of the card. Nobody starves by one: it scales one job. */
    public static List<Check> of(ScalingPolicyFactory factory, Settings settings) {
        Contract contract = new Contract(factory, settings.seeds());
        Jobs jobs = new Jobs(factory, settings.seeds());
        List<Check> checks = new ArrayList<>(Check.ofCreation(
                contract::describesItselfAlwaysTheSame, contract::isCreatedWithTheDefaultsThatItDescribes));
        checks.addAll(List.of(
                Check.of(
                        Section.CORRECTNESS,
                        "decidesWithinTheRulesAndTheSameAfterDeltas",
                        "desires a parallelism within the bounds, says something of each change, and decides after"
                                + " changes as a new session does",
                        contract::decidesWithinTheRulesAndTheSameAfterDeltas),
                Check.of(
                        Section.CORRECTNESS,
                        "asksToBeCalledAgainOnlyNowAndThen",
                        "asks to be called again only now and then while nothing changes",
                        contract::asksToBeCalledAgainOnlyNowAndThen),
                Check.of(
                        Section.CORRECTNESS,
                        "asksForACallAlsoBeforeTheJobRuns",
                        "asks to be called again before the job runs, if it does so while the job runs",
                        contract::asksForACallAlsoBeforeTheJobRuns),
                Check.of(
                        Section.DETERMINISM,
                        "desiresTheSameForTheSameInput",
                        "desires the same for the same input in another instance",
                        jobs::desiresTheSameForTheSameInput),
                Check.of(
                        Section.MONOTONICITY,
                        "desiresNoLessWithMoreFreeSlots",
                        "desires no less when more slots are free",
                        jobs::desiresNoLessWithMoreFreeSlots),
                Check.of(
                        Section.QUALITY,
                        "settlesOnAConstantLoad",
                        "settles on a load that does not change",
                        contract::settlesOnAConstantLoad)));
        checks.addAll(new Cost(settings, workers -> new Loads(factory, workers)).checks());
        return checks;
    }
}
