package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A strategy excludes workers for entries by a rule of its own, with a reason. */
class ExclusionTest {

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    /** Two jobs that want four slots each, one worker with room for one of them. */
    private PlanOutcome.Planned planned(Bench.Placing placing) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "filter", 1_000, Bench.placing("filter", placing));
        bench.awaitState("filter", "deciding");
        return Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(0, "first", 4, 4, 0)
                        .unit(1, "second", 4, 4, 0)
                        .build());
    }

    private String reasons(PlanOutcome.Planned planned) {
        return String.join(
                "\n", bench.platform.decision(planned.decision()).orElseThrow().reasons());
    }

    @Test
    void roomOnAnExcludedWorkerGoesToLaterJobsAndTheReasonIsShown() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                if (admitted.job(entry).value().equals("first")) {
                    plan.exclude(entry, 0, "its kernel is too old");
                } else {
                    plan.place(entry, 0, 4);
                }
            }
        });
        assertThat(planned.matching().name()).isEqualTo("filter");
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 0, 4, true));
        assertThat(reasons(planned)).contains("matching strategy filter: excludes 1 worker: its kernel is too old");
        assertThat(bench.details("filter").orElseThrow().failures()).isZero();
    }

    @Test
    void withoutTheExclusionTheRoomIsTheEarlierJobs() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            plan.unplaced(0, "not today");
            plan.place(1, 0, 4);
        });
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("gives room to later jobs that job first could have used");
    }

    @Test
    void whatIsExcludedCannotBePlaced() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            plan.place(0, 0, 4);
            plan.exclude(0, 0, "its kernel is too old");
        });
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("where they may not be: the same result excludes it");
    }

    @Test
    void aMinimumForWhichOnlyExcludedWorkersHaveRoomIsNotLeftOut() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                plan.exclude(entry, 0, "its kernel is too old");
            }
        });
        assertThat(planned.matching().name()).isEqualTo("filter");
        assertThat(planned.placements()).isEmpty();
        assertThat(planned.reasons())
                .hasSize(2)
                .allSatisfy(reason -> assertThat(reason.why().causes())
                        .containsExactly(Reason.of(
                                ReasonCode.EXCLUDED,
                                "matching strategy filter: excludes 1 worker: its kernel is too old")));
        assertThat(bench.details("filter").orElseThrow().failures()).isZero();
    }

    @Test
    void theReasonNamesTheGroupOfAUnitWithTwo() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "filter", 1_000, Bench.placing("filter", (workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                if (admitted.group(entry).equals("second")) {
                    plan.exclude(entry, 0, "its kernel is too old");
                }
            }
        }));
        bench.awaitState("filter", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(
                                0,
                                "both",
                                new GroupDemand("first", Bench.SLOT, 1, 1, 0),
                                new GroupDemand("second", Bench.SLOT, 1, 1, 0))
                        .build());
        assertThat(planned.placements()).isEmpty();
        assertThat(planned.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.why().causes())
                        .containsExactly(Reason.of(
                                ReasonCode.EXCLUDED,
                                "matching strategy filter, group second: excludes 1 worker: its kernel is too old")));
    }

    @Test
    void anExclusionOfAWorkerThatIsNotThereIsAFailure() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> plan.exclude(0, 7, "gone"));
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("excludes worker 7 for group default of job first, which is not there");
    }

    @Test
    void anExclusionWithoutAReasonIsAFailure() throws Exception {
        for (String blank : new String[] {"", " \n", null}) {
            PlanOutcome.Planned planned = planned((workers, admitted, plan) -> plan.exclude(0, 0, blank));
            assertThat(planned.matching().name()).isEqualTo("first-fit");
            assertThat(reasons(planned))
                    .contains("excludes worker w0 for group default of job first and gives no reason:"
                            + " a line of text that is not blank is required");
        }
    }

    private PlanOutcome.Planned planned(Bench.Placing placing, Bench.Input input) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "filter", 1_000, Bench.placing("filter", placing));
        bench.awaitState("filter", "deciding");
        return Bench.planned(bench.planner(), input.build());
    }

    @Test
    void theHostOpensNoWorkerOfAnExcludedSpec() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    for (int entry = 0; entry < admitted.size(); entry++) {
                        if (admitted.job(entry).value().equals("first")) {
                            plan.excludeSpec(entry, 0, "its kernel is too old");
                        }
                        plan.unplaced(entry, "too difficult");
                    }
                },
                bench.input().spec(5).unit(0, "first", 4, 4, 0).unit(1, "second", 4, 4, 0));
        assertThat(planned.matching().name()).isEqualTo("filter");
        assertThat(planned.newWorkers()).as("for the second job").containsExactly(0);
        assertThat(planned.placements())
                .singleElement()
                .satisfies(one -> assertThat(one.unit()).isEqualTo(1));
        assertThat(planned.reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.why().causes())
                        .containsExactly(Reason.of(
                                ReasonCode.EXCLUDED,
                                "matching strategy filter: too difficult; excludes 1 spec: its kernel is too old")));
        assertThat(bench.details("filter").orElseThrow().failures()).isZero();
    }

    @Test
    void slotsOnANewWorkerOfAnExcludedSpecAreAFailure() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    plan.excludeSpec(0, 0, "its kernel is too old");
                    plan.place(0, plan.open(0), 4);
                },
                bench.input().spec(5).unit(0, "first", 4, 4, 0));
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("where they may not be: the same result excludes it");
    }

    @Test
    void aSpecThatIsNotThereCannotBeExcluded() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> plan.excludeSpec(0, 1, "gone"),
                bench.input().spec(5).unit(0, "first", 4, 4, 0));
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("excludes spec 1 of 1 for group default of job first");
    }

    private static Bench.Input jobs(Bench.Input input, int count) {
        input.worker(0, Bench.SIZE).worker(1, Bench.SIZE);
        for (int job = 0; job < count; job++) {
            input.unit(job, "job-" + job, new GroupDemand("default", ResourceProfile.of(1_000 + job, 1), 1, 1, 0));
        }
        return input;
    }

    @Test
    void theSameExclusionsForManyEntriesCountOnce() throws Exception {
        Bench.Input input = bench.input().worker(0, Bench.SIZE);
        for (int job = 0; job < 2_000; job++) {
            input.unit(job, "job-" + job, 1, 1, 0);
        }
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    for (int entry = 0; entry < admitted.size(); entry++) {
                        plan.exclude(entry, 0, "its kernel is too old");
                    }
                },
                input);
        assertThat(planned.matching().name()).isEqualTo("filter");
        assertThat(planned.placements()).isEmpty();
        assertThat(bench.details("filter").orElseThrow().failures()).isZero();
    }

    @Test
    void moreThanAThousandDifferentExclusionsAreAFailure() throws Exception {
        Bench.Placing excludes = (workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                plan.exclude(entry, 0, "not for this profile");
                plan.exclude(entry, 1, "not for this profile");
            }
        };
        PlanOutcome.Planned planned = planned(excludes, jobs(bench.input(), 1_001));
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned))
                .contains("excludes workers and specs in 1001 different ways: at most 1000 are allowed");
    }
}
