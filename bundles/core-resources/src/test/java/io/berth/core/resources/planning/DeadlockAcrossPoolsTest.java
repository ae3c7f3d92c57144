package io.berth.core.resources.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.LabelChange;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.policy.PoolDefinition.Limits;
import io.berth.core.api.policy.PoolDefinition.Members;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A job waits with slots on a worker that now belongs to another pool, whose job needs them. Workers have two slots
 * each.
 */
class DeadlockAcrossPoolsTest {

    private static final PoolDefinition GPU = pool("gpu");
    private static final PoolDefinition FPGA = pool("fpga");

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker moves = cluster.worker("moves");
    private final FakeWorker lost = cluster.worker("lost");

    private static PoolDefinition pool(String label) {
        Members members = new Members(new TreeSet<>(), new TreeSet<>(), new TreeMap<>(Map.of(label, Optional.empty())));
        return new PoolDefinition(label, 0, members, Optional.empty(), Limits.NONE, true);
    }

    private void label(FakeWorker worker, String label) {
        cluster.call(cluster.manager.relabelWorkers(
                worker.id.value(),
                new LabelChange(new TreeMap<>(Map.of(label, "yes")), List.of(), new TreeMap<>(), List.of())));
    }

    private void unlabel(FakeWorker worker, String label) {
        cluster.call(cluster.manager.relabelWorkers(
                worker.id.value(), new LabelChange(new TreeMap<>(), List.of(label), new TreeMap<>(), List.of())));
    }

    private void plan() {
        cluster.time.advance(100);
    }

    private void lose() {
        cluster.call(cluster.manager.disconnectWorker(lost.instance, "a test"));
        plan();
    }

    private static List<AllocationId> slotsOf(FakeJobMaster job, FakeWorker worker) {
        return worker.slots.values().stream()
                .filter(slot -> slot.job().equals(job.job))
                .map(slot -> slot.allocation())
                .toList();
    }

    /** A job of the pool has its minimum: two slots on each of the two workers. */
    private FakeJobMaster runsOnBoth(String pool) {
        FakeJobMaster job = cluster.jobOf(pool, "old-pool", 1);
        cluster.declare(job, 4, 4);
        plan();
        assertThat(cluster.states(job)).hasSize(4);
        return job;
    }

    private FakeJobMaster waitsIn(String pool, int slots) {
        FakeJobMaster job = cluster.jobOf(pool, "waits", 2);
        cluster.declare(job, slots, slots);
        plan();
        assertThat(cluster.states(job)).isEmpty();
        return job;
    }

    @Test
    void aWaitingJobIsAskedForItsSlotsOnAWorkerThatMovedToAnotherPool() {
        cluster.pools(GPU);
        FakeJobMaster before = runsOnBoth("default");
        FakeJobMaster waits = waitsIn("gpu", 2);
        lose();
        assertThat(before.wantedBack).as("it may keep them in its pool").isEmpty();

        label(moves, "gpu");
        plan();
        List<AllocationId> wanted = slotsOf(before, moves);
        assertThat(wanted).hasSize(2);
        assertThat(before.wantedBack).containsExactlyInAnyOrderElementsOf(wanted);
        assertThat(before.causes)
                .containsExactly("job waits reaches its minimum with them, and job old-pool of pool default cannot run"
                        + " with its slots on workers of pool gpu");
        wanted.forEach(slot -> cluster.free(moves, slot));
        plan();
        assertThat(cluster.states(waits)).hasSize(2);
    }

    @Test
    void onlySlotsOnWorkersOfThePoolAreAskedFor() {
        cluster.pools(GPU);
        FakeJobMaster before = runsOnBoth("default");
        FakeWorker stays = cluster.worker("stays");
        cluster.declare(before, 6, 6);
        plan();
        assertThat(slotsOf(before, stays)).hasSize(2);
        waitsIn("gpu", 2);
        lose();
        label(moves, "gpu");
        plan();
        assertThat(before.wantedBack).containsExactlyInAnyOrderElementsOf(slotsOf(before, moves));
    }

    @Test
    void aJobWhosePoolIsGoneIsAskedForItsSlotsOnWorkersThatOtherPoolsTook() {
        cluster.pools(GPU);
        label(moves, "gpu");
        label(lost, "gpu");
        FakeJobMaster before = runsOnBoth("gpu");
        cluster.pools();
        waitsIn("default", 2);
        assertThat(before.wantedBack).as("it runs").isEmpty();

        lose();
        assertThat(before.wantedBack)
                .as("nobody plans for it, and nothing else changed in the pool of the other job")
                .containsExactlyInAnyOrderElementsOf(slotsOf(before, moves));
    }

    @Test
    void aJobThatLosesItsMinimumAfterTheMoveIsAsked() {
        cluster.pools(GPU);
        FakeJobMaster before = runsOnBoth("default");
        label(moves, "gpu");
        waitsIn("gpu", 2);
        cluster.time.advance(10_000);
        assertThat(before.wantedBack).as("it runs").isEmpty();
        int plans = cluster.planner("gpu").inputs.size();

        lose();
        assertThat(before.wantedBack).containsExactlyInAnyOrderElementsOf(slotsOf(before, moves));
        assertThat(cluster.planner("gpu").inputs).hasSize(plans + 1);
    }

    @Test
    void aJobThatMovesToAnotherPoolIsAskedForTheSlotsThatItLeavesBehind() {
        cluster.pools(GPU, FPGA);
        label(moves, "gpu");
        label(lost, "gpu");
        FakeJobMaster before = runsOnBoth("gpu");
        before.pool = "fpga";
        cluster.declare(before, 4, 4);
        waitsIn("gpu", 2);
        assertThat(before.wantedBack).as("it runs").isEmpty();
        lose();
        assertThat(before.wantedBack).containsExactlyInAnyOrderElementsOf(slotsOf(before, moves));
    }

    @Test
    void aJobWithANewJobMasterIsAsked() {
        cluster.pools(GPU);
        FakeJobMaster before = runsOnBoth("default");
        waitsIn("gpu", 2);
        before.dead = true;
        cluster.time.advance(60_000);
        lose();
        label(moves, "gpu");
        plan();
        assertThat(before.wantedBack).as("nobody is there to ask").isEmpty();

        FakeJobMaster again = new FakeJobMaster("old-pool", 2, 1);
        cluster.register(again);
        cluster.declare(again, 4, 4);
        plan();
        assertThat(again.wantedBack).containsExactlyInAnyOrderElementsOf(slotsOf(before, moves));
    }

    @Test
    void jobsOfOtherPoolsReturnSlotsBeforeThoseOfThePool() {
        cluster.pools(GPU);
        FakeWorker second = cluster.worker("second");
        label(second, "gpu");
        label(lost, "gpu");
        FakeJobMaster own = cluster.jobOf("gpu", "own", 9);
        cluster.declare(own, 4, 4);
        FakeJobMaster other = cluster.job("other", 1);
        cluster.declare(other, 2, 2);
        plan();
        assertThat(slotsOf(own, second)).hasSize(2);
        assertThat(slotsOf(other, moves)).hasSize(2);
        FakeJobMaster waits = waitsIn("gpu", 2);
        cluster.declare(other, 3, 3);
        label(moves, "gpu");
        lose();

        assertThat(other.wantedBack).containsExactlyInAnyOrderElementsOf(slotsOf(other, moves));
        assertThat(own.wantedBack).isEmpty();
        List.copyOf(slotsOf(other, moves)).forEach(slot -> cluster.free(moves, slot));
        plan();
        assertThat(cluster.states(waits)).hasSize(2);
    }

    @Test
    void otherPoolsAreNotPlannedWhenAJobWaitsWithSlotsOfItsOwnPool() {
        cluster.pools(GPU);
        FakeWorker gpu = cluster.worker("gpu");
        label(gpu, "gpu");
        label(moves, "gpu");
        unlabel(moves, "gpu");
        FakeJobMaster before = runsOnBoth("default");
        waitsIn("gpu", 3);
        int plans = cluster.planner("gpu").inputs.size();
        lose();
        cluster.time.advance(10_000);
        assertThat(before.wantedBack).isEmpty();
        assertThat(cluster.planner("gpu").inputs).hasSize(plans);
    }
}
