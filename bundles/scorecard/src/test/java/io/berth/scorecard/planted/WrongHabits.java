package io.berth.scorecard.planted;

import io.berth.scorecard.planted.FlawedStrategy.Answer;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Matching strategies that place within the rules, and behave wrongly. */
public final class WrongHabits {

    private static final String SAME = "decidesTheSameForTheSameInput";
    private static final String DELTAS = "knowsTheSameAfterDeltasAsAfterOpeningAgain";
    private static final String LARGE = "knowsTheSameInALargePoolThatKeepsChanging";
    private static final String GANGS = "asksForSlotsOnlyForALimitedTime";
    private static final String RESERVES = "reservesRoomOnlyForALimitedTime";
    private static final String LEARNS = "learnsByADeltaThatAWorkerHasOtherLabels";
    private static final String REVIEWS = "asksToBeCalledAgainOnlyNowAndThen";

    private WrongHabits() {}

    /** Each with the checks that find it. */
    public static List<Planted> all() {
        List<Planted> all = new ArrayList<>(described());
        all.addAll(forgetting());
        all.addAll(wishing());
        return all;
    }

    private static List<Planted> described() {
        return List.of(
                new Planted(
                        "matching-describes-differently",
                        new FlawedStrategy() {
                            @Override
                            PolicyDescription description() {
                                return Planted.another("flawed");
                            }
                        },
                        List.of("describesItselfAlwaysTheSame"),
                        "the second description"),
                new Planted(
                        "matching-refuses-defaults",
                        new FlawedStrategy() {
                            @Override
                            void accept(PolicyContext context) throws InvalidConfigurationException {
                                if (context.owner().equals("check")) {
                                    throw new InvalidConfigurationException("key a is missing");
                                }
                            }
                        },
                        List.of("isCreatedWithTheDefaultsThatItDescribes"),
                        "does not accept its own defaults: key a is missing"));
    }

    private static List<Planted> forgetting() {
        return List.of(
                new Planted(
                        "matching-learns-nothing",
                        new FlawedStrategy() {
                            @Override
                            int[] learned(WorkersView workers, int[] changed) {
                                return new int[0];
                            }
                        },
                        List.of(LEARNS, RESERVES, DELTAS, LARGE),
                        "slots after"),
                new Planted(
                        "matching-learns-no-large-changes",
                        new FlawedStrategy() {
                            @Override
                            int[] learned(WorkersView workers, int[] changed) {
                                return changed.length < 100
                                        ? changed
                                        : Arrays.stream(changed)
                                                .filter(worker -> !workers.present(worker))
                                                .toArray();
                            }
                        },
                        List.of(LARGE),
                        "the plan of a session that followed the changes"),
                new Planted(
                        "matching-decides-by-chance",
                        Flaws.answering((workers, admitted, to) -> new Answer(workers, admitted, to) {
                            @Override
                            public void unplaced(int entry, String reason) {
                                super.unplaced(entry, reason + Planted.COUNTER.incrementAndGet());
                            }
                        }),
                        List.of(SAME, DELTAS, LARGE),
                        "the second plan for the same input"));
    }

    private static List<Planted> wishing() {
        return List.of(
                new Planted(
                        "matching-asks-for-slots-forever",
                        new FlawedStrategy() {
                            @Override
                            boolean usesAllocations() {
                                return true;
                            }

                            @Override
                            Answer answer(WorkersView workers, AdmittedView admitted, PlacementBuilder to) {
                                return new Answer(workers, admitted, to) {
                                    @Override
                                    void end() {
                                        for (int slot = 0;
                                                slot < admitted.allocations().limit();
                                                slot++) {
                                            if (admitted.allocations().aboveMinimum(slot) > 0) {
                                                to.giveBack(slot, "why not");
                                                return;
                                            }
                                        }
                                    }
                                };
                            }
                        },
                        List.of(GANGS),
                        "decisions in which it asks for slots"),
                new Planted(
                        "matching-reserves-forever",
                        Flaws.answering((workers, admitted, to) -> new Reserving(workers, admitted, to)),
                        List.of(RESERVES),
                        "decisions in a row in which it reserves room for one gang"),
                new Planted(
                        "matching-wants-to-be-called-all-the-time",
                        Flaws.ending(answer -> answer.to.reviewAfter(10)),
                        List.of(REVIEWS),
                        "mean time in milliseconds"),
                new Planted(
                        "matching-hangs",
                        Flaws.placing((answer, entry) -> {
                            Planted.hang();
                            return true;
                        }),
                        List.of("*"),
                        "did not end within"));
    }

    /** Reserves what is left for the first gang that is not placed. */
    private static final class Reserving extends Answer {

        private final int[] placed;
        private final long[] taken;

        private Reserving(WorkersView workers, AdmittedView admitted, PlacementBuilder to) {
            super(workers, admitted, to);
            placed = new int[admitted.size()];
            taken = new long[workers.limit()];
        }

        @Override
        public void place(int entry, int worker, int count) {
            placed[entry] += count;
            if (worker < workers.limit()) {
                taken[worker] += count * admitted.need(entry, worker, 0);
            }
            super.place(entry, worker, count);
        }

        @Override
        void end() {
            // Only in the pools whose slots are all alike.
            boolean alike = admitted.size() > 0 && admitted.job(0).value().startsWith("gang-");
            for (int worker = 0; alike && placed[0] == 0 && worker < workers.limit(); worker++) {
                if (workers.free(worker, 0) - taken[worker] >= admitted.need(0, worker, 0)) {
                    to.reserve(0, worker, 1);
                    return;
                }
            }
        }
    }
}
