package io.berth.scorecard.planted;

import io.berth.scorecard.planted.FlawedStrategy.Answer;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.List;

/** Matching strategies that place wrongly. */
public final class WrongStrategies {

    private static final String RULES = "conservesCapacityPlacesGangsCompletelyAndRespectsPrecedence";
    private static final String SAME = "decidesTheSameForTheSameInput";
    private static final String DELTAS = "knowsTheSameAfterDeltasAsAfterOpeningAgain";
    private static final String LARGE = "knowsTheSameInALargePoolThatKeepsChanging";
    private static final String RESERVES = "reservesRoomOnlyForALimitedTime";
    private static final String REVIEWS = "asksToBeCalledAgainOnlyNowAndThen";
    private static final String UNKNOWN = "placesTheDefaultSlotOfEachWorkerForAnUnknownProfile";
    private static final String EXTENDED = "countsExtendedResources";
    private static final String LABELS = "placesOnlyWhereConstraintsAllow";
    private static final String OPENS = "opensNewWorkersOnlyAfterExistingOnes";
    private static final String ONE_MORE = "placesNoLessOfTheFirstEntryOnOneWorkerMore";
    private static final String ALONE = "placesNoLessOfTheFirstEntryWithoutTheOthers";
    private static final String STARVES = "placesAGangThatFitsWithinAnHour";
    private static final String FILLS = "fillsThePool";
    private static final String FEW = "opensFewWorkers";

    private WrongStrategies() {}

    private static int present(WorkersView workers) {
        int present = 0;
        for (int worker = 0; worker < workers.limit(); worker++) {
            present += workers.present(worker) ? 1 : 0;
        }
        return present;
    }

    private static boolean pendingAmongTheFirst(WorkersView workers) {
        for (int worker = 0; worker < Math.min(3, workers.limit()); worker++) {
            if (workers.present(worker) && workers.pending(worker)) {
                return true;
            }
        }
        return false;
    }

    private static boolean unknown(Answer answer, int entry) {
        for (int worker = 1; worker < answer.workers.limit(); worker++) {
            if (answer.workers.present(worker)
                    && answer.workers.present(0)
                    && answer.admitted.need(entry, worker, 0) != answer.admitted.need(entry, 0, 0)) {
                return true;
            }
        }
        return false;
    }

    /** Places one slot more than there is, always. */
    public static MatchingStrategyFactory overbooking() {
        return Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
            @Override
            public void place(int entry, int worker, int count) {
                super.place(entry, worker, count + 1);
            }
        });
    }

    /** Each with the checks that find it. */
    public static List<Planted> all() {
        List<Planted> all = new ArrayList<>(breaking());
        all.addAll(lacking());
        return all;
    }

    private static List<Planted> breaking() {
        return List.of(
                new Planted(
                        "matching-overbooks",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void place(int entry, int worker, int count) {
                                super.place(entry, worker, entry > 3 && count > 1 ? count + 1 : count);
                            }
                        }),
                        List.of(RULES, RESERVES, DELTAS),
                        "the rule of placement that it breaks"),
                new Planted(
                        "matching-halves-gangs",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void place(int entry, int worker, int count) {
                                super.place(entry, worker, admitted.gang(entry) >= 0 && count > 1 ? count - 1 : count);
                            }
                        }),
                        List.of(RULES, OPENS, RESERVES, DELTAS, STARVES),
                        "of the"),
                new Planted(
                        "matching-passes-over-the-first",
                        Flaws.placing((answer, entry) ->
                                entry > 0 || answer.admitted.gang(0) >= 0 || answer.admitted.size() < 3),
                        List.of(RULES, DELTAS, FEW),
                        "the rule of placement that it breaks"),
                new Planted(
                        "matching-excludes-in-silence",
                        Flaws.ending(answer -> {
                            if (answer.admitted.size() > 4 && answer.workers.present(0)) {
                                answer.to.exclude(4, 0, " ");
                            }
                        }),
                        List.of(RULES, RESERVES, DELTAS),
                        "gives no reason"),
                new Planted(
                        "matching-ignores-unknown-profiles",
                        Flaws.placing((answer, entry) -> !unknown(answer, entry)),
                        List.of(RULES, UNKNOWN, DELTAS),
                        "in"),
                new Planted(
                        "matching-ignores-extended-resources",
                        Flaws.moving((answer, entry) -> answer.admitted.amount(entry, 4) > 0),
                        List.of(RULES, EXTENDED, DELTAS),
                        "the rule of placement that it breaks"),
                new Planted(
                        "matching-ignores-labels",
                        Flaws.moving((answer, entry) -> answer.admitted.constraints(entry) >= 0),
                        List.of(RULES, LABELS, DELTAS),
                        "the rule of placement that it breaks"),
                new Planted(
                        "matching-opens-before-the-pool-is-full",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void place(int entry, int worker, int count) {
                                boolean opens = workers.specs() > 0 && workers.specLeft(0) > 4 && workers.limit() > 1;
                                super.place(entry, opens ? to.open(0) : worker, count);
                            }
                        }),
                        List.of(OPENS, LABELS),
                        "new workers for 8 slots that fit the existing ones"),
                new Planted(
                        "matching-throws",
                        Flaws.placing((answer, entry) -> {
                            if (pendingAmongTheFirst(answer.workers)) {
                                throw new IllegalStateException("no idea of pending workers");
                            }
                            return true;
                        }),
                        List.of(RULES, OPENS, REVIEWS, SAME, DELTAS, LARGE),
                        "throws java.lang.IllegalStateException: no idea of pending workers"),
                new Planted(
                        "matching-places-on-nothing",
                        Flaws.ending(answer -> {
                            if (answer.workers.limit() == 0
                                    && answer.admitted.size() == 1
                                    && answer.workers.specs() == 0) {
                                answer.to.place(0, 0, 1);
                            }
                        }),
                        List.of("placesNothingOnAnEmptyPool"),
                        "what is placed on a pool without workers"));
    }

    private static List<Planted> lacking() {
        return List.of(
                new Planted(
                        "matching-is-confused-by-more-workers",
                        Flaws.placing((answer, entry) -> entry > 0
                                || answer.admitted.gang(entry) >= 0
                                || answer.admitted.count(entry) <= 8
                                || answer.admitted.count(entry) > 12
                                || answer.workers.limit() > 7
                                || present(answer.workers) < 4
                                || answer.admitted.size() == 2),
                        List.of(ONE_MORE),
                        "slots of the first entry on"),
                new Planted(
                        "matching-needs-company",
                        Flaws.placing((answer, entry) -> answer.admitted.size() > 1
                                || answer.admitted.count(entry) <= 9
                                || answer.admitted.count(entry) > 12
                                || answer.admitted.need(entry, 0, 0) < 2_000),
                        List.of(ALONE),
                        "and only 0 when it is alone"),
                new Planted(
                        "matching-leaves-out-forever",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void place(int entry, int worker, int count) {
                                if (admitted.job(entry).value().equals("gang") && admitted.size() == 1) {
                                    to.leaveOut(entry, "later");
                                } else {
                                    super.place(entry, worker, count);
                                }
                            }
                        }),
                        List.of(STARVES),
                        "is not placed in 60 minutes"),
                new Planted(
                        "matching-leaves-room",
                        Flaws.placing((answer, entry) -> entry != 1
                                || answer.admitted.size() != 2
                                || answer.admitted.count(1) < 16
                                || answer.workers.limit() > 10),
                        List.of(FILLS),
                        "where more wait"),
                new Planted(
                        "matching-opens-a-worker-for-each-slot",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void place(int entry, int worker, int count) {
                                if (worker < workers.limit() || workers.specLeft(0) < 100) {
                                    super.place(entry, worker, count);
                                    return;
                                }
                                super.place(entry, worker, 1);
                                for (int more = 1; more < count; more++) {
                                    super.place(entry, to.open(0), 1);
                                }
                            }
                        }),
                        List.of(FEW),
                        "workers for slots whose volume needs"),
                new Planted(
                        "matching-compares-all-workers",
                        Flaws.ending(answer -> {
                            long limit = answer.workers.limit();
                            Planted.take(limit * limit);
                        }),
                        List.of("time"),
                        "a decision on 1000 workers takes"),
                new Planted(
                        "matching-copies-all-workers",
                        Flaws.ending(answer -> Planted.keep(new long[answer.workers.limit() * 64])),
                        List.of("allocations"),
                        "a decision on 1000 workers allocates"));
    }
}
