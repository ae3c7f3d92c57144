package io.berth.scorecard.matching;

import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Cost;
import io.berth.scorecard.check.Section;
import io.berth.scorecard.check.Settings;
import io.berth.scorecard.trace.TraceChecks;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.rules.Seeds;
import java.util.ArrayList;
import java.util.List;

/** All checks of a matching strategy. */
public final class MatchingChecks {

    private record Contract(MatchingStrategyFactory factory, Seeds seeds) implements MatchingStrategyContract {}

    private MatchingChecks() {}

    /** The checks, in the order of the card. */
    public static List<Check> of(MatchingStrategyFactory factory, Settings settings) {
        Contract contract = new Contract(factory, settings.seeds());
        Pools pools = new Pools(factory, settings.seeds());
        List<Check> checks = new ArrayList<>(Check.ofCreation(
                contract::describesItselfAlwaysTheSame, contract::isCreatedWithTheDefaultsThatItDescribes));
        checks.addAll(correctness(contract));
        checks.addAll(determinism(contract));
        checks.add(Check.of(
                Section.MONOTONICITY,
                "placesNoLessOfTheFirstEntryOnOneWorkerMore",
                "places no less of the first entry when there is one worker more",
                pools::placesNoLessOfTheFirstEntryOnOneWorkerMore));
        checks.add(Check.of(
                Section.MONOTONICITY,
                "placesNoLessOfTheFirstEntryWithoutTheOthers",
                "places no less of the first entry when it is alone",
                pools::placesNoLessOfTheFirstEntryWithoutTheOthers));
        checks.add(Check.of(
                Section.STARVATION,
                "placesAGangThatFitsWithinAnHour",
                "places a gang for which there is room within an hour",
                pools::placesAGangThatFitsWithinAnHour));
        checks.add(new Check(
                Section.QUALITY,
                "fillsThePool",
                "places as many slots of one size as there is room for",
                5,
                pools::fillsThePool));
        checks.add(new Check(
                Section.QUALITY,
                "opensFewWorkers",
                "opens at most 1.7 times as many workers as the volume of the slots needs, and one more",
                5,
                pools::opensFewWorkers));
        checks.addAll(new Cost(settings, workers -> new Changes(factory, workers)).checks());
        checks.addAll(TraceChecks.of(settings.trace(), factory));
        return checks;
    }

    private static Check correct(String name, String what, Check.Kept rule) {
        return Check.of(Section.CORRECTNESS, name, what, rule);
    }

    private static List<Check> correctness(Contract contract) {
        return List.of(
                correct(
                        "conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence",
                        "places no more than fits, each gang completely or not at all, and in the order of the entries",
                        contract::conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence),
                correct(
                        "placesNothingOnAnEmptyPool",
                        "places nothing on an empty pool",
                        contract::placesNothingOnAnEmptyPool),
                correct(
                        "opensNewWorkersOnlyAfterExistingOnes",
                        "opens new workers only when the existing ones are full",
                        contract::opensNewWorkersOnlyAfterExistingOnes),
                correct(
                        "placesTheDefaultSlotOfEachWorkerForAnUnknownProfile",
                        "places the default slot of a worker for an unknown profile",
                        contract::placesTheDefaultSlotOfEachWorkerForAnUnknownProfile),
                correct("countsExtendedResources", "counts extended resources", contract::countsExtendedResources),
                correct(
                        "placesOnlyWhereConstraintsAllow",
                        "places only where labels and taints allow it",
                        contract::placesOnlyWhereConstraintsAllow),
                correct(
                        "learnsByADeltaThatAWorkerHasOtherLabels",
                        "learns by a change that a worker has other labels or taints",
                        contract::learnsByADeltaThatAWorkerHasOtherLabels),
                correct(
                        "asksForSlotsOnlyForALimitedTime",
                        "asks jobs for slots only for a limited time",
                        contract::asksForSlotsOnlyForALimitedTime),
                correct(
                        "reservesRoomOnlyForALimitedTime",
                        "reserves room for a gang only for a limited time",
                        contract::reservesRoomOnlyForALimitedTime),
                correct(
                        "asksToBeCalledAgainOnlyNowAndThen",
                        "asks to be called again only now and then while nothing changes",
                        contract::asksToBeCalledAgainOnlyNowAndThen),
                correct(
                        "asksToBeCalledAgainOnlyNowAndThenForAssignments",
                        "asks to be called again for an assignment only now and then while nothing changes",
                        contract::asksToBeCalledAgainOnlyNowAndThenForAssignments),
                correct(
                        "assignsASlotOnlyToARequirementWithTheSameConstraints",
                        "assigns a slot only to a requirement with the same constraints",
                        contract::assignsASlotOnlyToARequirementWithTheSameConstraints),
                correct(
                        "assignsEachSlotToWhatItWasAllocatedFor",
                        "assigns each slot to the requirement that it was allocated for",
                        contract::assignsEachSlotToWhatItWasAllocatedFor),
                correct(
                        "assignsAsManySlotsAsCanServeInAnyOrder",
                        "assigns as many slots as can serve, in any order",
                        contract::assignsAsManySlotsAsCanServeInAnyOrder),
                correct(
                        "assignsWithinTheRulesForRandomInputs",
                        "assigns within the rules, and as many slots as possible",
                        contract::assignsWithinTheRulesForRandomInputs));
    }

    private static List<Check> determinism(Contract contract) {
        return List.of(
                Check.of(
                        Section.DETERMINISM,
                        "decidesTheSameForTheSameInput",
                        "decides the same for the same input in another instance",
                        contract::decidesTheSameForTheSameInput),
                Check.of(
                        Section.DETERMINISM,
                        "knowsTheSameAfterDeltasAsAfterOpeningAgain",
                        "decides after changes as a new session does",
                        contract::knowsTheSameAfterDeltasAsAfterOpeningAgain),
                Check.of(
                        Section.DETERMINISM,
                        "knowsTheSameInALargePoolThatKeepsChanging",
                        "decides after many changes of a large pool as a new session does",
                        contract::knowsTheSameInALargePoolThatKeepsChanging));
    }
}
