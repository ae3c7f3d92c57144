package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.resources.FakeBackend;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotManagerConformanceTest {

    private static final WorkerSpec SMALL =
            WorkerSpec.of("small", TWO_SLOTS).defaultSlots(2).maximum(9).build();

    private final TestCluster cluster = new TestCluster();
    private final FakeBackend backend = new FakeBackend(SMALL);

    private FakeJobMaster needsTwoPendingWorkers() {
        cluster.manager.backendAdded(backend);
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 4, 4);
        cluster.time.advance(50);
        assertThat(cluster.pending()).isEqualTo(2);
        return job;
    }

    @Test
    void c31_aRegisteringWorkerThatFitsTakesOverOnePendingWorker() {
        needsTwoPendingWorkers();
        FakeWorker worker = new FakeWorker("local-x", 1);
        cluster.register(worker, "local", "small");

        assertThat(cluster.workerStates()).containsExactlyInAnyOrder("registered", "pending");
    }

    @Test
    void c31_aRegisteringWorkerThatIsTooSmallTakesOverNone() {
        needsTwoPendingWorkers();
        FakeWorker little = new FakeWorker("local-x", 1);
        cluster.register(little, little.registration(SLOT, 1, "local", "small"));
        FakeWorker thin = new FakeWorker("local-y", 1);
        cluster.register(thin, thin.registration(TWO_SLOTS, 4, "local", "small"));

        assertThat(cluster.workerStates())
                .as("by its total, and by its default slots")
                .containsExactlyInAnyOrder("registered", "registered", "pending", "pending");
    }

    @Test
    void c31_aRegisteringWorkerThatHoldsSlotsTakesOverNone() {
        FakeJobMaster job = needsTwoPendingWorkers();
        FakeWorker worker = new FakeWorker("local-x", 1);
        AllocationId allocation = new AllocationId(3, 1);
        worker.slots.put(
                allocation, new SlotReport.Slot(allocation, job.job, job.id, "other", "default", SLOT, true, 1, 1));
        cluster.register(worker, "local", "small");

        assertThat(cluster.workerStates()).containsExactlyInAnyOrder("registered", "pending", "pending");
    }

    @Test
    void c33_changesWithinTheDelayAreOneCallOfThePolicies() {
        FakeJobMaster first = cluster.job("first", 1);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.time.advance(1_000);
        int before = cluster.planner.inputs.size();
        cluster.declare(first, 1, 1);
        cluster.time.advance(20);
        cluster.declare(second, 1, 1);
        cluster.declare(first, 2, 2);
        cluster.worker("w1");
        cluster.time.advance(1_000);
        assertThat(cluster.planner.inputs).hasSize(before + 1);

        cluster.declare(first, 3, 3);
        cluster.time.advance(1_000);
        assertThat(cluster.planner.inputs.size()).isGreaterThan(before + 1);
    }

    @Test
    void c35_noShortageIsSentInTheStartUpPeriodAndKnownJobsAreNotifiedAtItsEnd() {
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(4_900);
        assertThat(job.reasons).isEmpty();
        cluster.time.advance(700);

        assertThat(job.reasons)
                .singleElement()
                .satisfies(reason -> assertThat(reason.code()).isEqualTo(ReasonCode.NO_WORKERS));
    }

    @Test
    void c39_requirementsThatGoToZeroDropWhatIsPending() {
        FakeJobMaster job = needsTwoPendingWorkers();
        assertThat(backend.needed()).isEqualTo(2);
        cluster.call(cluster.manager.declareRequirements(job.declaration(100, List.of())));
        cluster.time.advance(50);

        assertThat(cluster.pending()).isZero();
        assertThat(backend.needed()).isZero();
    }

    @Test
    void requestsThatWereNotGrantedAreWithdrawnBeforeProcessesAreEnded() {
        FakeJobMaster job = needsTwoPendingWorkers();
        // The second one in the order of the plan is granted, the first one is not.
        cluster.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        assertThat(backend.unwanted()).as("the request is withdrawn").isEmpty();
        assertThat(cluster.details().workers())
                .singleElement()
                .satisfies(worker -> assertThat(worker.id()).isEqualTo("local-1"));

        cluster.declare(job, 0, 0);
        cluster.time.advance(50);
        assertThat(backend.unwanted()).containsExactly(new WorkerId("local-1"));
    }

    @Test
    void theGrantedProcessIsKeptAlthoughThePlanNamesTheRequest() {
        cluster.manager.backendAdded(backend);
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 4, 4);
        cluster.time.advance(50);
        // The second request takes the place of the worker, before the first one in the order of the planner.
        cluster.call(cluster.manager.disconnectWorker(worker.instance, "bye"));
        cluster.time.advance(50);
        assertThat(cluster.pending()).isEqualTo(2);
        cluster.manager.workerStarted("local", new WorkerId("local-1"), SMALL.name());
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);

        assertThat(backend.needed()).isEqualTo(1);
        assertThat(cluster.details().workers())
                .singleElement()
                .satisfies(there -> assertThat(there.id()).isEqualTo("local-1"));
        assertThat(backend.unwanted()).isEmpty();
    }

    @Test
    void c43_theSameDeclarationTwiceIsServedOnce() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        var declaration = job.requires(1, 1, SLOT);
        cluster.call(cluster.manager.declareRequirements(declaration));
        cluster.time.advance(1_000);
        for (int copy = 0; copy < 100; copy++) {
            cluster.call(cluster.manager.declareRequirements(declaration));
        }
        cluster.time.advance(1_000);

        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void c45_aRefusedSlotIsTriedAgainAsAnotherAllocation() {
        FakeWorker worker = cluster.worker("w1");
        worker.refuses = request -> true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(100);
        worker.refuses = request -> false;
        cluster.time.advance(500);

        assertThat(worker.requested)
                .extracting(SlotRequest::allocation)
                .containsExactly(new AllocationId(7, 1), new AllocationId(7, 2));
        assertThat(cluster.states(job)).containsExactly("allocated");
    }

    @Test
    void c45_aSlotWhoseRequestFailedIsTriedElsewhereAtOnce() {
        FakeWorker failing = cluster.worker("w1");
        FakeWorker other = cluster.worker("w2");
        failing.losesAnswers = true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(150);

        assertThat(failing.requested).hasSize(1);
        assertThat(other.requested).extracting(SlotRequest::allocation).containsExactly(new AllocationId(7, 2));
    }

    @Test
    void c47_aFailureThatComesAfterTheReportOfTheSlotFreesNothing() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        worker.failsLate = true;
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        assertThat(cluster.states(job)).containsExactly("pending");
        cluster.time.advance(2_100);
        assertThat(cluster.states(job)).as("the heartbeat has told").containsExactly("allocated");
        worker.answer();
        cluster.time.advance(1_000);

        assertThat(cluster.states(job)).containsExactly("allocated");
        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void f06_anAnswerCountsAlthoughTheWorkerRegisteredAgainMeanwhile() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        worker.refuses = request -> true;
        worker.holdAnswers = true;
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.register(worker, "standalone", "");
        worker.refuses = request -> false;
        worker.answer();
        cluster.time.advance(1_000);

        assertThat(cluster.states(job)).as("the refused one is not waited for").containsExactly("allocated");
        assertThat(worker.requested).hasSize(2);
    }

    @Test
    void f04_aLateCopyOfARegistrationDoesNotBringBackAFreedSlotForever() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        var old = worker.registration(TWO_SLOTS, 2, "standalone", "");
        cluster.declare(job, 0, 0);
        cluster.free(worker, worker.slots.firstKey());
        cluster.time.advance(2_100);
        cluster.register(worker, old);
        cluster.time.advance(2_100);

        assertThat(cluster.states(job)).isEmpty();
        assertThat(cluster.details().workers().get(0).free()).isEqualTo(TWO_SLOTS.toString());
    }

    @Test
    void c149_aWorkerThatKeepsRefusingIsAskedLessAndLess() {
        FakeWorker worker = cluster.worker("w1");
        worker.refuses = request -> true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(60_000);
        int inAMinute = worker.requested.size();
        assertThat(inAMinute).isBetween(5, 12);
        cluster.time.advance(60_000);

        assertThat(worker.requested.size() - inAMinute).isBetween(1, 4);
    }

    @Test
    void aWorkerThatRegistersAgainAndAgainIsNotAskedMoreOften() {
        FakeWorker worker = cluster.worker("w1");
        worker.refuses = request -> true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        for (int second = 0; second < 60; second++) {
            cluster.time.advance(1_000);
            cluster.register(worker, "standalone", "");
        }

        assertThat(worker.requested.size()).isLessThanOrEqualTo(12);
    }

    @Test
    void jobMastersReceiveTheBlockedWorkersEvenIfTheyRegisterLaterButNoRefusals() {
        FakeWorker worker = cluster.worker("w1");
        FakeWorker refusing = cluster.worker("w2");
        refusing.refuses = request -> true;
        FakeJobMaster early = cluster.job("early", 1);
        cluster.manager.block(worker.id, "its disk is full", 10_000);
        cluster.manager.block(worker.id, "its disk is full", 5_000);
        cluster.declare(early, 1, 1);
        cluster.time.advance(1_000);
        FakeJobMaster late = cluster.job("late", 2);
        assertThat(early.blocked).containsExactly(List.of(), List.of(worker.id));
        assertThat(late.blocked).containsExactly(List.of(worker.id));
        assertThat(refusing.requested).isNotEmpty();
        cluster.time.advance(10_000);

        assertThat(late.blocked).as("the later end holds, and is told").containsExactly(List.of(worker.id), List.of());
        assertThat(cluster.states(early)).hasSize(1);
    }

    @Test
    void aListOfBlockedWorkersIsSentAgainWithAHigherNumberUntilItIsAcknowledged() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        job.dead = true;
        cluster.manager.block(worker.id, "its disk is full", 3_500);
        cluster.time.advance(2_500);
        assertThat(job.blocked).startsWith(List.of(), List.of(worker.id), List.of(worker.id));
        job.dead = false;
        cluster.time.advance(10_000);

        assertThat(job.blocked).endsWith(List.of(worker.id), List.of());
        assertThat(job.blocked).filteredOn(List::isEmpty).hasSize(2);
        assertThat(job.blockNumbers).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void slotsThatAJobHasInExcessServeItsNextRequirementOfThatSize() {
        FakeWorker worker = cluster.worker("w1", SLOT.times(4));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        cluster.declare(job, new GroupRequirement("other", SLOT, 2, 2));
        cluster.time.advance(1_000);

        assertThat(worker.requested).as("none is requested beside").hasSize(2);
    }

    @Test
    void anUnknownRequirementIsNotServedByAnotherGroupsSlot() {
        FakeWorker worker = cluster.worker("w1", SLOT.times(4));
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        cluster.declare(job, new GroupRequirement("other", ResourceProfile.UNKNOWN, 1, 1));
        cluster.time.advance(1_000);

        assertThat(worker.requested).hasSize(2);
    }
}
