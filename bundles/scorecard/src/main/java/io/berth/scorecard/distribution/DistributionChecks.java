package io.berth.scorecard.distribution;

import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Cost;
import io.berth.scorecard.check.Section;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.trace.TraceChecks;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;

/** All checks of a distribution policy. */
public final class DistributionChecks {

    private record Contract(DistributionPolicyFactory factory, Seeds seeds) implements DistributionPolicyContract {}

    private DistributionChecks() {}

    /** The checks, in the order of the card. */
    public static List<Check> of(DistributionPolicyFactory factory, Settings settings) {
        Contract contract = new Contract(factory, settings.seeds());
        Admissions admissions = new Admissions(factory, settings.seeds());
        List<Check> checks = new ArrayList<>(Check.ofCreation(
                contract::describesItselfAlwaysTheSame, contract::isCreatedWithTheDefaultsThatItDescribes));
        checks.addAll(List.of(
                Check.of(
                        Section.CORRECTNESS,
                        "admitsNothingWhenNothingIsMissing",
                        "admits nothing when nothing is missing",
                        contract::admitsNothingWhenNothingIsMissing),
                Check.of(
                        Section.CORRECTNESS,
                        "admitsWithinTheRulesAndTheSameAfterDeltas",
                        "admits within the rules, and after changes as a new session does",
                        contract::admitsWithinTheRulesAndTheSameAfterDeltas),
                Check.of(
                        Section.CORRECTNESS,
                        "admitsWithinTheRulesWhateverIsPlacedOfARank",
                        "admits within the rules, in whatever order a rank is placed",
                        contract::admitsWithinTheRulesWhateverIsPlacedOfARank),
                Check.of(
                        Section.CORRECTNESS,
                        "reclaimsOnlyForALimitedTime",
                        "reclaims slots only for a limited time",
                        contract::reclaimsOnlyForALimitedTime),
                Check.of(
                        Section.CORRECTNESS,
                        "asksToBeCalledAgainOnlyNowAndThen",
                        "asks to be called again only now and then while nothing changes",
                        contract::asksToBeCalledAgainOnlyNowAndThen),
                Check.of(
                        Section.CORRECTNESS,
                        "asksToBeCalledAgainOnlyNowAndThenForQueues",
                        "asks to be called again only now and then while units of a tree of queues wait",
                        contract::asksToBeCalledAgainOnlyNowAndThenForQueues),
                Check.of(
                        Section.CORRECTNESS,
                        "admitsAUnitThatIsAlone",
                        "admits a unit that is alone in a pool that it fits",
                        admissions::admitsAUnitThatIsAlone),
                Check.of(
                        Section.DETERMINISM,
                        "admitsTheSameForTheSameInput",
                        "decides the same for the same input in another instance",
                        admissions::admitsTheSameForTheSameInput),
                Check.of(
                        Section.MONOTONICITY,
                        "keepsAdmittingAUnitThatIsAloneWhenThePoolGrows",
                        "keeps admitting a unit that is alone when the pool grows",
                        admissions::keepsAdmittingAUnitThatIsAloneWhenThePoolGrows)));
        checks.add(new Check(
                Section.STARVATION,
                "startsLargeUnitsAmongSmallOnes",
                "lets a unit that fits the pool start within " + Admissions.MAX_WAIT_MINUTES
                        + " minutes, although smaller ones never stop coming",
                10,
                admissions::startsLargeUnitsAmongSmallOnes));
        checks.add(Check.of(
                Section.QUALITY,
                "leavesNoRoomToUnitsOfOneSize",
                "leaves no slot free that a waiting unit could use, where all units are of one slot",
                admissions::leavesNoRoomToUnitsOfOneSize));
        checks.addAll(new Cost(settings, workers -> new Arrivals(factory, workers)).checks());
        checks.addAll(TraceChecks.of(settings.trace(), factory));
        return checks;
    }
}
