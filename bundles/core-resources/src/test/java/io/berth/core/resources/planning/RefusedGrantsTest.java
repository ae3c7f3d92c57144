package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.spi.AllocationId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A job that refuses slots is granted others after a pause, which doubles (reference 7.23). */
class RefusedGrantsTest {

    private static final long DELAY = ResourceSettings.defaults().requirementCheckDelayMillis();
    private static final long PAUSE = ResourceSettings.defaults().refusalBackOffMillis();
    private static final long HEARTBEAT = ResourceSettings.defaults().heartbeatIntervalMillis();

    private final TestCluster cluster = new TestCluster();
    private final FakeWorker worker = cluster.worker("w1");
    private final FakeJobMaster job = cluster.job("count", 1);

    /** Time passes, and the worker frees all that is offered: the job takes nothing. */
    private void refuseFor(long millis) {
        for (long passed = 0; passed < millis; passed += 10) {
            cluster.time.advance(10);
            List.copyOf(worker.slots.keySet()).forEach(slot -> cluster.free(worker, slot));
        }
    }

    /** The job refuses the slots that it is granted at its first declaration. */
    private void refuseOnce(int minimum, int desired) {
        cluster.declare(job, minimum, desired);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(Math.min(2, desired));
        List.copyOf(worker.slots.keySet()).forEach(slot -> cluster.free(worker, slot));
    }

    private void take() {
        worker.take();
        cluster.time.advance(HEARTBEAT);
    }

    @Test
    void c149_aJobThatKeepsRefusingIsNotGrantedSlotsInATightLoop() {
        cluster.declare(job, 1, 1);
        refuseFor(10_000);
        assertThat(worker.requested).hasSizeBetween(5, 7);
        int before = worker.requested.size();
        refuseFor(100_000);
        assertThat(worker.requested).as("it is tried as long as it is required").hasSizeBetween(before + 5, before + 9);
        int plans = cluster.planner.inputs.size();
        assertThat(plans).as("nor is it planned").isLessThan(4 * worker.requested.size());
    }

    @Test
    void severalSlotsThatAreRefusedTogetherCountOnce() {
        refuseOnce(2, 2);
        cluster.time.advance(PAUSE + DELAY - 1);
        assertThat(worker.requested).hasSize(2);
        cluster.time.advance(1);
        assertThat(worker.requested).hasSize(4);
    }

    @Test
    void aSlotThatIsRefusedLaterThanOthersOfItsRoundDoesNotCount() {
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY);
        AllocationId late = worker.slots.lastKey();
        cluster.free(worker, worker.slots.firstKey());
        cluster.time.advance(PAUSE + DELAY);
        assertThat(worker.requested).hasSize(3);
        cluster.free(worker, late);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(4);
    }

    @Test
    void theJobIsNotifiedWhyItIsGrantedNothing() {
        cluster.declare(job, 1, 1);
        refuseFor(3_000);
        assertThat(job.reasons).anySatisfy(reason -> {
            assertThat(reason.code()).isEqualTo(ReasonCode.REFUSED);
            assertThat(reason.line())
                    .contains("the job refused slots that were granted to it, 4 times in a row; it is"
                            + " tried again after 1600 ms");
        });
    }

    @Test
    void otherJobsGetTheRoomMeanwhile() {
        FakeJobMaster other = cluster.job("other", 2);
        refuseOnce(2, 2);
        cluster.declare(other, 2, 2);
        cluster.time.advance(DELAY);
        assertThat(cluster.states(other)).containsExactly("allocated", "allocated");
    }

    @Test
    void aNewDeclarationIsServedAtOnceAndACopyOfTheLastIsNot() {
        var declaration = job.requires(1, 1, SLOT);
        cluster.call(cluster.manager.declareRequirements(declaration));
        refuseFor(2_000);
        int before = worker.requested.size();
        cluster.call(cluster.manager.declareRequirements(declaration));
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(before);
        cluster.declare(job, 1, 1);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(before + 1);
    }

    @Test
    void whatARescaleCostDoesNotEndThePause() {
        cluster.declare(job, 1, 1);
        refuseFor(2_000);
        int before = worker.requested.size();
        job.lastRescaleMillis = Optional.of(7_000L);
        cluster.declare(job, 1, 1);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(before);
        job.lastRescaleMillis = Optional.of(8_000L);
        cluster.declare(job, 1, 2);
        cluster.time.advance(DELAY);
        assertThat(worker.requested).as("it requires more, too").hasSize(before + 2);
    }

    @Test
    void aSlotThatWasGrantedBeforeTheJobRequiredLessIsFreedWithoutAPause() {
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY);
        cluster.declare(job, 1, 1);
        cluster.free(worker, worker.slots.lastKey());
        cluster.free(worker, worker.slots.firstKey());
        cluster.time.advance(DELAY);
        assertThat(worker.requested).hasSize(3);
    }

    @Test
    void aJobThatTakesSlotsAgainBeginsWithTheShortestPause() {
        FakeJobMaster other = cluster.job("other", 0);
        cluster.declare(other, 1, 1);
        cluster.time.advance(DELAY);
        AllocationId ofOther = worker.slots.firstKey();
        cluster.declare(job, 1, 2);
        for (int passed = 0; passed < 2_000; passed += 10) {
            cluster.time.advance(10);
            List.copyOf(worker.slots.tailMap(new AllocationId(7, 2)).keySet())
                    .forEach(slot -> cluster.free(worker, slot));
        }
        cluster.time.advance(2_000);
        assertThat(worker.slots).hasSize(2);
        take();
        cluster.call(cluster.manager.disconnectJobMaster(other.job, other.id, "finished"));
        cluster.free(worker, ofOther);
        cluster.time.advance(DELAY);
        int before = worker.requested.size();
        cluster.free(worker, worker.slots.lastKey());
        cluster.time.advance(PAUSE + DELAY - 1);
        assertThat(worker.requested).hasSize(before);
        cluster.time.advance(1);
        assertThat(worker.requested).hasSize(before + 1);
    }

    @Test
    void slotsOfTheJobThatAWorkerBringsEndThePause() {
        cluster.declare(job, 1, 2);
        refuseFor(3_000);
        int before = worker.requested.size();
        cluster.time.advance(DELAY);
        assertThat(worker.requested).as("pausing").hasSize(before);
        AllocationId foreign = new AllocationId(6, 1);
        FakeWorker late = new FakeWorker("w2", 1);
        late.slots.put(foreign, new SlotReport.Slot(foreign, job.job, job.id, "all", "default", SLOT, true, 1, 1));
        cluster.register(late, "standalone", "");
        cluster.time.advance(DELAY);
        assertThat(worker.requested).as("what it lacks beside").hasSize(before + 1);
    }

    @Test
    void theLossOfASlotThatTheJobHadEndsThePause() {
        FakeWorker other = cluster.worker("w2");
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY);
        take();
        cluster.declare(job, new GroupRequirement("default", SLOT, 2, 3));
        for (int passed = 0; passed < 2_000; passed += 10) {
            cluster.time.advance(10);
            List.copyOf(other.slots.keySet()).forEach(slot -> cluster.free(other, slot));
        }
        int before = other.requested.size();
        cluster.time.advance(DELAY);
        assertThat(other.requested).as("pausing").hasSize(before);
        cluster.call(cluster.manager.disconnectWorker(worker.instance, "bye"));
        cluster.time.advance(DELAY);
        assertThat(other.requested).hasSize(before + 2);
    }

    @Test
    void aPlanFromBeforeThePauseGrantsNothingToTheJob() {
        FakeWorker other = cluster.worker("w2");
        cluster.declare(job, 1, 3);
        cluster.time.advance(DELAY);
        assertThat(other.requested).hasSize(1);
        cluster.call(cluster.manager.disconnectWorker(other.instance, "bye"));
        FakeWorker third = cluster.worker("w3");
        cluster.planner.held = true;
        cluster.time.advance(DELAY);
        cluster.free(worker, worker.slots.firstKey());
        cluster.planner.release();
        cluster.time.settle();
        assertThat(third.requested).isEmpty();
        cluster.time.advance(PAUSE + 2 * DELAY);
        assertThat(third.requested).hasSize(1);
    }

    @Test
    void aSlotThatWasNotGrantedHereIsFreedWithoutAPause() {
        AllocationId foreign = new AllocationId(6, 1);
        FakeWorker late = new FakeWorker("w2", 1);
        late.slots.put(foreign, new SlotReport.Slot(foreign, job.job, job.id, "all", "default", SLOT, false, 0, 1));
        cluster.register(late, "standalone", "");
        cluster.declare(job, 2, 2);
        cluster.time.advance(DELAY);
        assertThat(worker.requested.size() + late.requested.size()).isEqualTo(1);
        cluster.free(late, foreign);
        cluster.time.advance(DELAY);
        assertThat(worker.requested.size() + late.requested.size()).isEqualTo(2);
    }
}
