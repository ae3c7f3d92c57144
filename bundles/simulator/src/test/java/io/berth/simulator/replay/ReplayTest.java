package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.cluster.Invariants;
import io.berth.simulator.replay.cluster.ReplayedPool;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Outage;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole replays on the ResourceManager and its policies, each verified by hand. */
class ReplayTest {

    @Test
    void jobsWaitForTheirTurnAndRunForTheirRunTime() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 2)),
                List.of(
                        Small.job("a", 0, 10, 2, "ann"),
                        Small.job("b", 2, 5, 1, "bob"),
                        Small.job("c", 3, 4, 1, "bob")));

        // a from 0 to 10, b from 10 to 15, c from 10 to 14: waits are 0, 8 and 7.
        assertThat(result.begun()).isEqualTo(3);
        assertThat(result.ended()).isEqualTo(3);
        assertThat(result.waiting()).isZero();
        assertThat(result.waitMean().getAsDouble()).isCloseTo(5, within(1e-9));
        assertThat(result.waitP95()).hasValue(8);
        assertThat(result.waitLongest()).hasValue(8);
        assertThat(result.slowdownMean().getAsDouble()).isCloseTo((1 + 1.3 + 1.1) / 3, within(1e-9));
        assertThat(result.lengthSeconds()).isEqualTo(15);
        assertThat(result.windowSeconds()).isEqualTo(3);
        assertThat(result.utilization()).containsEntry("cpu", 1.0);
        assertThat(result.waitingShare()).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(result.freeWhileWaiting()).containsEntry("cpu", 0.0);
        assertThat(result.slots()).isEqualTo(4);
        assertThat(result.series().get(0).utilization()).isEqualTo(1);
        assertThat(result.series().get(199).utilization()).as("only b runs").isEqualTo(0.5);
    }

    @Test
    void aGangIsGrantedAtOnceAndASmallerJobMayPassIt() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 2), Small.node("b", 1)),
                List.of(
                        Small.job("long", 0, 100, 2, ""),
                        Small.job("gang", 1, 10, 3, ""),
                        Small.job("one", 2, 10, 1, "")));

        // The gang needs all three cores, one of which is free. The job of one slot takes it meanwhile.
        assertThat(result.waitLongest()).hasValue(99);
        assertThat(result.waitMean().getAsDouble()).isCloseTo(33, within(1e-9));
        assertThat(result.freeWhileWaiting().get("cpu")).isCloseTo(1 / 3.0, within(1e-9));
    }

    @Test
    void firstFitFillsWorkersAndSpreadUsesAll() {
        List<Node> nodes = List.of(Small.node("a", 4), Small.node("b", 4), Small.node("c", 4));
        List<TraceJob> jobs = List.of(Small.job("a", 0, 100, 3, ""), Small.job("b", 50, 10, 1, ""));

        assertThat(Small.replay(nodes, jobs, List.of(), "first-fit").workersUsedMean())
                .isEqualTo(1);
        assertThat(Small.replay(nodes, jobs, List.of(), "spread").workersUsedMean())
                .isEqualTo(3);
    }

    @Test
    void aJobOnANodeThatLeavesRunsItsWholeTimeAgain() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 1)), List.of(Small.job("a", 0, 10, 1, "")), Small.outage(0, 4, 6));

        // 4 s are lost; it returns at 6 and ends at 16.
        assertThat(result.outages()).isEqualTo(1);
        assertThat(result.restarts()).isEqualTo(1);
        assertThat(result.restartedJobs()).isEqualTo(1);
        assertThat(result.lostCoreSeconds()).isCloseTo(4, within(1e-9));
        assertThat(result.lengthSeconds()).isEqualTo(16);
        assertThat(result.waitLongest()).as("it started at once").hasValue(0);
        assertThat(result.slowdownMean()).hasValue(1.6);
    }

    @Test
    void aRestartedJobReturnsItsOtherSlotsUntilItCanHaveAll() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 1), Small.node("b", 1)),
                List.of(Small.job("gang", 0, 10, 2, ""), Small.job("one", 1, 3, 1, "")),
                Small.outage(0, 4, 20));

        // The gang restarts at 20, because the other job has its slot on b from 4 to 7.
        assertThat(result.restarts()).isEqualTo(1);
        assertThat(result.lengthSeconds()).isEqualTo(30);
        assertThat(result.waitLongest()).hasValue(3);
        assertThat(result.slots()).isEqualTo(5);
    }

    @Test
    void aNodeThatDoesNotReturnLeavesJobsWaiting() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 1)),
                List.of(Small.job("a", 0, 10, 1, ""), Small.job("b", 6, 1, 1, "")),
                new Outage(0, 5_000, Outage.NEVER));

        assertThat(result.ended()).isZero();
        assertThat(result.waiting()).isEqualTo(2);
        assertThat(result.begun()).isEqualTo(1);
    }

    @Test
    void jobsThatTheEmptyClusterCannotHoldAreCountedAndLeftOut() {
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 2), Small.node("b", 2)),
                List.of(Small.job("five", 0, 1, 5, ""), Small.job("four", 0, 1, 4, "")));

        assertThat(result.tooLarge()).isEqualTo(1);
        assertThat(result.ended()).isEqualTo(1);
        assertThat(result.waiting()).isZero();
    }

    @Test
    void jobsWithoutRunTimeStayToTheEnd() {
        TraceJob stays =
                new TraceJob("stays", 0, OptionalLong.empty(), List.of(new Demand(Small.profile(1, 1, 0), 1)), "", "");
        ReplayResult result = Small.firstFit(
                List.of(Small.node("a", 2)), List.of(stays, Small.job("b", 5, 1, 2, ""), Small.job("c", 6, 1, 1, "")));

        assertThat(result.begun()).isEqualTo(2);
        assertThat(result.ended()).isEqualTo(1);
        assertThat(result.waiting()).as("two cores are never free").isEqualTo(1);
        assertThat(result.last().utilization()).containsEntry("cpu", 1.0);
        assertThat(result.last().workersUsed()).isEqualTo(1);
    }

    private static ReplayResult elastic(List<Node> nodes, List<TraceJob> jobs) {
        return new Replay(
                        new ReplayInput(nodes, jobs, List.of(), Optional.of(new ReplayInput.Elastic(30, 1_000))),
                        PoliciesOfKind.shippedStrategy("first-fit"),
                        (now, arrived, waiting) -> {})
                .run();
    }

    @Test
    void workersAreStartedWhenNeededAndReleasedWhenIdle() {
        ReplayResult result = elastic(
                List.of(Small.node("a", 1), Small.node("b", 1), Small.node("c", 1)),
                List.of(
                        Small.job("a", 0, 10, 1, ""),
                        Small.job("b", 20, 10, 1, ""),
                        Small.job("c", 100, 10, 2, ""),
                        Small.job("d", 10_000, 10, 1, "")));

        // a starts at 30 with the first worker. b takes that worker over at 40, so no other one is started for it. c
        // has to wait for a second one. Until 10,000 both are released.
        assertThat(result.ended()).isEqualTo(4);
        assertThat(result.waitMean().getAsDouble()).isCloseTo((30 + 20 + 30 + 30) / 4.0, within(1e-9));
        assertThat(result.workersUsedMost()).isEqualTo(2);
        assertThat(result.workersMean()).isBetween(0.2, 0.7);
    }

    @Test
    void theSmallestSpecThatFitsIsStarted() {
        ReplayResult result = elastic(
                List.of(Small.node("large", 8), Small.node("small", 2)),
                List.of(Small.job("a", 0, 100, 2, ""), Small.job("b", 60, 1, 1, "")));

        assertThat(result.utilization().get("cpu"))
                .as("from 30 to 60, both cores of the small one")
                .isEqualTo(1);
        assertThat(result.workersMean()).isCloseTo(0.5, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void theSameTraceGivesTheSameResult(String strategy) {
        List<Node> nodes = new ArrayList<>();
        List<TraceJob> jobs = new ArrayList<>();
        List<Outage> outages = new ArrayList<>();
        for (int node = 0; node < 10; node++) {
            nodes.add(Small.node("n" + node, 1 + node % 4));
            outages.add(Small.outage(node, 20 + 7 * node, 30 + 9 * node));
        }
        for (int job = 0; job < 300; job++) {
            jobs.add(Small.job("j" + job, job / 3, 1 + job * 7 % 23, 1 + job * 5 % 6, "u" + job % 5));
        }

        ReplayResult first = Small.replay(nodes, jobs, outages, strategy);
        ReplayResult second = Small.replay(nodes, jobs, outages, strategy);

        assertThat(first)
                .usingRecursiveComparison()
                .ignoringFields("cpuSeconds")
                .isEqualTo(second);
        assertThat(first.ended()).isEqualTo(300);
        assertThat(first.restarts()).isPositive();
    }

    private static double waitOfALargeJob(String distribution) {
        List<TraceJob> jobs = new ArrayList<>();
        for (int job = 0; job < 100; job++) {
            jobs.add(Small.job("small-" + job, 5 * job, 9, 1, "").expecting(OptionalLong.of(10_000)));
        }
        jobs.add(1, Small.job("large", 1, 10, 2, ""));
        PolicyPair policies = new PolicyPair(
                PoliciesOfKind.shippedStrategy("first-fit"),
                PoliciesOfKind.distribution(List.of()).chosen(distribution),
                distribution);
        return new Replay(
                        new ReplayInput(List.of(Small.node("a", 2)), jobs, List.of(), Optional.empty()),
                        policies,
                        (now, arrived, waiting) -> {})
                .run()
                .waitLongest()
                .orElseThrow();
    }

    @Test
    void aDistributionPolicyDecidesInTheTimeOfTheTrace() {
        assertThat(waitOfALargeJob("fifo")).as("until no more small ones come").isEqualTo(503);
        assertThat(waitOfALargeJob("backfill:promise.after=1 min")).isBetween(60.0, 75.0);
        assertThat(waitOfALargeJob("backfill:promise.after=2 min")).isBetween(120.0, 135.0);
    }

    private static ReplayResult moving(String strategy, OptionalInt moveSeconds) {
        return new Replay(
                        new ReplayInput(
                                List.of(Small.node("a", 4), Small.node("b", 4)),
                                List.of(Small.job("short", 0, 1_000, 3, ""), Small.job("long", 1, 100_000, 3, "")),
                                List.of(),
                                Optional.of(new ReplayInput.Elastic(0, 1_000)),
                                moveSeconds,
                                ReplayedPool.DEFAULT),
                        PolicyPair.of(PoliciesOfKind.matching(List.of()).chosen(strategy)),
                        (now, arrived, waiting) -> {})
                .run();
    }

    /** The long job has slots on both workers. When the short one has ended, one worker is enough. */
    @Test
    void aJobMovesSlotsSoThatAWorkerIsReleased() {
        ReplayResult packed = moving("pack", OptionalInt.of(20));
        assertThat(packed.moves().slots()).isZero();

        ReplayResult moved = moving("rebalance", OptionalInt.of(20));
        assertThat(moved.moves().slots()).isEqualTo(1);
        assertThat(moved.moves().jobs()).isEqualTo(1);
        assertThat(moved.moves().standingSeconds()).isCloseTo(20, within(1.0));
        assertThat(moved.lengthSeconds() - packed.lengthSeconds())
                .as("the job ends later by the time in which it stood still")
                .isCloseTo(moved.moves().standingSeconds(), within(1e-9));
        assertThat(moved.rejections().count()).isZero();
    }

    @Test
    void anIdleWorkerStopsWhenItsTimeIsOver() {
        ReplayResult result = new Replay(
                        new ReplayInput(
                                List.of(Small.node("a", 4)),
                                List.of(Small.job("first", 0, 100, 1, ""), Small.job("last", 10_000, 100, 1, "")),
                                List.of(),
                                Optional.of(new ReplayInput.Elastic(0, 60)),
                                OptionalInt.empty(),
                                ReplayedPool.DEFAULT),
                        PolicyPair.of(PoliciesOfKind.matching(List.of()).chosen("pack")),
                        (now, arrived, waiting) -> {})
                .run();
        // 100 s of the first job and up to 75 s after it, of 10,000 s until the last one comes.
        assertThat(result.workersMean()).isBetween(0.01, 0.03);
    }

    @Test
    void jobsMoveNoSlotUnlessTheReplaySaysWhatItCosts() {
        assertThat(moving("rebalance", OptionalInt.empty()).moves().slots()).isZero();
        assertThat(moving("rebalance:move.cost=1 d", OptionalInt.of(20)).moves().slots())
                .isZero();
    }

    @Test
    void aFreeSlotThatIsNotReportedToTheResourceManagerBreaksAnInvariant() {
        ReplayInput input = new ReplayInput(
                List.of(Small.node("a", 2)),
                List.of(Small.job("a", 0, 10, 1, ""), Small.job("b", 20, 1, 1, "")),
                List.of(),
                Optional.empty());

        assertThatThrownBy(() -> new Replay(
                                input,
                                PolicyPair.of(PoliciesOfKind.shippedStrategy("first-fit")),
                                (now, arrived, waiting) -> {},
                                slot -> false)
                        .run())
                .isInstanceOf(Invariants.Violation.class)
                .hasMessageContaining("first-fit at 10.0 s: ")
                .hasMessageContaining("worker a receives freeSlots[SlotsToFree[job=j0");
    }
}
