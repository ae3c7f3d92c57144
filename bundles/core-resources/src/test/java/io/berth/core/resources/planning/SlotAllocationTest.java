package io.berth.core.resources.planning;

import static io.berth.core.resources.TestCluster.SLOT;
import static io.berth.core.resources.TestCluster.TWO_SLOTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.InstanceId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.resources.FakeJobMaster;
import io.berth.core.resources.FakeWorker;
import io.berth.core.resources.TestCluster;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotAllocationTest {

    private final TestCluster cluster = new TestCluster();

    @Test
    void requestsDeclaredSlotsInOneCallPerWorkerAndCountsThemWhenAcknowledged() {
        FakeWorker first = cluster.worker("w1");
        FakeWorker second = cluster.worker("w2");
        first.holdAnswers = true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 3, 3);

        assertThat(first.calls).as("before the delay is over").isZero();
        cluster.time.advance(50);

        assertThat(first.calls).isEqualTo(1);
        assertThat(first.requested).hasSize(2).allSatisfy(request -> {
            assertThat(request.job()).isEqualTo(job.job);
            assertThat(request.jobMaster()).isEqualTo(job.endpoint());
            assertThat(request.unit()).isEqualTo("all");
            assertThat(request.group()).isEqualTo("default");
            assertThat(request.profile()).isEqualTo(SLOT);
            assertThat(request.decision()).isEqualTo(1);
        });
        assertThat(second.requested).hasSize(1);
        assertThat(first.requested)
                .extracting(SlotRequest::allocation)
                .containsExactly(new AllocationId(7, 1), new AllocationId(7, 2));
        assertThat(cluster.states(job)).containsExactly("pending", "pending", "allocated");

        first.answer();
        assertThat(cluster.states(job)).containsExactly("allocated", "allocated", "allocated");
        cluster.time.advance(60_000);
        assertThat(first.calls + second.calls).as("nothing is asked for twice").isEqualTo(2);
        assertThat(cluster.planner.committed).hasSize(3);
    }

    @Test
    void servesJobsInTheOrderOfSubmissionAlsoWhenTheEarlierOneChangesItsRequirements() {
        FakeJobMaster later = cluster.job("later", 2);
        FakeJobMaster earlier = cluster.job("earlier", 1);
        cluster.declare(later, 2, 2);
        cluster.declare(earlier, 1, 1);
        cluster.time.advance(50);
        cluster.declare(earlier, 2, 2);
        cluster.worker("w1");
        cluster.time.advance(50);

        assertThat(cluster.states(earlier)).hasSize(2);
        assertThat(cluster.states(later)).isEmpty();
    }

    @Test
    void flip138_anOlderDeclarationNeverOvertakesANewerOne() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        var older = job.requires(2, 2, SLOT);
        var newer = job.requires(1, 1, SLOT);
        cluster.call(cluster.manager.declareRequirements(newer));
        cluster.call(cluster.manager.declareRequirements(older));
        cluster.time.advance(1_000);

        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void refusesADeclarationOfAJobMasterThatIsNotRegisteredOrWasReplaced() {
        FakeJobMaster stranger = new FakeJobMaster("count", 1, 1);
        assertThatThrownBy(() -> cluster.declare(stranger, 1, 1))
                .hasMessageContaining("job count")
                .hasMessageContaining("register before declaring");

        cluster.register(stranger);
        FakeJobMaster newer = new FakeJobMaster("count", 2, 1);
        cluster.register(newer);
        assertThatThrownBy(() -> cluster.declare(stranger, 1, 1)).hasMessageContaining("not registered");
        assertThat(cluster.register(stranger)).isInstanceOf(RegistrationResponse.Rejected.class);
        cluster.declare(newer, 1, 1);
    }

    @Test
    void aNewerJobMasterStartsANewSequenceAndKeepsTheSlotsOfItsJob() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(50);
        FakeJobMaster newer = new FakeJobMaster("count", 2, 1);
        cluster.register(newer);
        cluster.declare(newer, 2, 2);
        cluster.time.advance(1_000);

        assertThat(worker.requested).as("one slot for each, none twice").hasSize(2);
        assertThat(worker.requested.get(1).jobMaster()).isEqualTo(newer.endpoint());
    }

    @Test
    void refusesRequirementsThatMakeNoSense() {
        FakeJobMaster job = cluster.job("count", 1);
        assertThatThrownBy(() -> cluster.declare(job, 3, 2)).hasMessageContaining("minimum <= desired");
        var unit = new UnitRequirement("all", List.of(new GroupRequirement("g", SLOT, 1, 1)));
        assertThatThrownBy(() ->
                        cluster.call(cluster.manager.declareRequirements(job.declaration(9, List.of(unit, unit)))))
                .hasMessageContaining("unit all occurs twice");
    }

    @Test
    void grantsAMinimumCompletelyOrNotAtAll() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster big = cluster.job("big", 1);
        FakeJobMaster small = cluster.job("small", 2);
        cluster.declare(big, 3, 3);
        cluster.declare(small, 1, 2);
        cluster.time.advance(50);

        assertThat(worker.requested)
                .hasSize(2)
                .allMatch(request -> request.job().equals(small.job));
    }

    @Test
    void asksForAnotherAllocationAfterARefusalAndNotInATightLoop() {
        FakeWorker worker = cluster.worker("w1");
        worker.refuses = request -> true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(150);
        assertThat(worker.requested).hasSize(1);
        assertThat(cluster.states(job)).isEmpty();

        cluster.time.advance(10_000);
        assertThat(worker.requested).hasSizeBetween(4, 8);
        worker.refuses = request -> false;
        cluster.time.advance(30_000);

        assertThat(cluster.states(job)).containsExactly("allocated");
        assertThat(worker.requested.stream().map(SlotRequest::allocation).distinct())
                .hasSameSizeAs(worker.requested);
    }

    @Test
    void takesAnotherWorkerForASlotThatWasRefused() {
        FakeWorker refusing = cluster.worker("w1");
        FakeWorker other = cluster.worker("w2");
        refusing.refuses = request -> true;
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(150);

        assertThat(other.requested).hasSize(1);
    }

    @Test
    void aFreedSlotServesTheNextJobAndAStaleNoticeHasNoEffect() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster first = cluster.job("first", 1);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.declare(first, 2, 2);
        cluster.declare(second, 1, 1);
        cluster.time.advance(50);
        cluster.call(cluster.manager.slotFreed(
                new SlotFreed(new InstanceId(4711), new AllocationId(7, 1), first.job, "stale")));
        assertThat(cluster.states(first)).hasSize(2);

        cluster.declare(first, 1, 1);
        cluster.free(worker, new AllocationId(7, 1));
        cluster.time.advance(50);
        assertThat(cluster.states(second)).containsExactly("allocated");
    }

    @Test
    void aPlanThatComesLateCommitsNothingThatNoLongerFits() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.planner.held = true;
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        // While the policies think, the worker turns out to have a slot of another job.
        AllocationId other = new AllocationId(6, 1);
        FakeJobMaster otherJob = cluster.job("other", 2);
        worker.slots.put(
                other, new SlotReport.Slot(other, otherJob.job, otherJob.id, "all", "default", SLOT, true, 1, 1));
        cluster.time.advance(2_000);
        cluster.planner.release();
        cluster.time.settle();

        assertThat(worker.requested).as("the minimum of two fits no more").isEmpty();
        assertThat(cluster.planner.dropped).singleElement().asString().contains("no longer has room");
        assertThat(cluster.details().slots()).hasSize(1);
        cluster.time.advance(50);
        assertThat(cluster.planner.inputs).as("planned once more").hasSize(2);
    }

    @Test
    void aPlanForRequirementsThatWereWithdrawnMeanwhileIsDropped() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.planner.held = true;
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        cluster.call(cluster.manager.disconnectJobMaster(job.job, job.id, "canceled"));
        // Its place in the planner's demands is taken by another job at once.
        FakeJobMaster next = cluster.job("next", 2);
        cluster.declare(next, 1, 1);
        cluster.planner.release();
        cluster.time.settle();
        assertThat(worker.requested).isEmpty();

        cluster.time.advance(100);
        assertThat(worker.requested)
                .singleElement()
                .matches(request -> request.job().equals(next.job));
    }

    @Test
    void aLatePlanForAWorkerThatWasLostGivesItsSlotsToNoOther() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.planner.held = true;
        cluster.declare(job, 2, 2);
        cluster.time.advance(50);
        cluster.call(cluster.manager.disconnectWorker(worker.instance, "bye"));
        FakeWorker small = new FakeWorker("w2", 1);
        cluster.register(small, small.registration(TWO_SLOTS, 2, "standalone", ""));
        cluster.planner.release();
        cluster.time.settle();
        assertThat(small.requested)
                .as("the worker at the same index is another one")
                .isEmpty();

        cluster.time.advance(100);
        assertThat(small.requested).hasSize(2);
    }

    @Test
    void anUnknownProfileTakesTheDefaultSlotOfItsWorker() {
        FakeWorker worker = cluster.worker("w1");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.call(cluster.manager.declareRequirements(job.requires(1, 2, ResourceProfile.UNKNOWN)));
        cluster.time.advance(5_000);

        assertThat(worker.requested)
                .hasSize(2)
                .allMatch(request -> request.profile().equals(SLOT));
        assertThat(cluster.details().workers().get(0).free()).isEqualTo(ResourceProfile.ZERO.toString());
    }

    @Test
    void tellsThePlannerOnlyWhatChanged() {
        cluster.worker("w1");
        cluster.worker("w2");
        FakeJobMaster first = cluster.job("first", 1);
        cluster.declare(first, 2, 2);
        cluster.time.advance(50);
        FakeJobMaster second = cluster.job("second", 2);
        cluster.declare(second, 1, 1);
        cluster.time.advance(50);
        cluster.time.advance(60_000);

        var last = cluster.planner.inputs.get(cluster.planner.inputs.size() - 1);
        assertThat(last.workers())
                .as("the worker that took slots of the first job")
                .hasSize(1);
        assertThat(last.units())
                .as("the first job has slots now, the second is new")
                .hasSize(2);
        assertThat(cluster.planner.inputs).as("quiet when nothing changes").hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void plansAgainWhenAPolicyAppearsAndNotifiesJobsWhileThereIsNone() {
        FakeWorker worker = cluster.worker("w1");
        cluster.planner.undecided = java.util.Optional.of("no matching strategy");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 1);
        cluster.time.advance(1_000);
        assertThat(job.notices)
                .as("no shortage: told in the start-up period too")
                .containsExactly("needs 1 x {1 cpu, 512 MiB}: no matching strategy");
        assertThat(worker.requested).isEmpty();

        cluster.planner.undecided = java.util.Optional.empty();
        cluster.policiesChanged();
        cluster.time.advance(50);
        assertThat(worker.requested).hasSize(1);
    }

    @Test
    void tellsOfMissingResourcesAfterTheStartUpPeriodAndAgainOnlyWhenChanged() {
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 1, 2);
        cluster.time.advance(4_000);
        assertThat(job.notices).as("start-up period").isEmpty();
        cluster.time.advance(2_000);
        assertThat(job.notices)
                .containsExactly("needs 2 (at least 1) x {1 cpu, 512 MiB}, 0 fit: there is no worker,"
                        + " no backend offers to start workers");

        FakeJobMaster other = cluster.job("other", 2);
        cluster.declare(other, 1, 1);
        cluster.time.advance(1_000);
        assertThat(job.notices).hasSize(1);
        cluster.declare(job, 2, 2);
        cluster.time.advance(1_000);
        assertThat(job.notices).hasSize(2);
    }

    @Test
    void letsWorkersFreeWhatAnEndedJobLeftThere() {
        FakeWorker first = cluster.worker("w1");
        FakeWorker second = cluster.worker("w2");
        FakeJobMaster job = cluster.job("count", 1);
        cluster.declare(job, 3, 3);
        cluster.time.advance(50);
        first.slots.keySet().stream().toList().forEach(allocation -> cluster.free(first, allocation));
        cluster.call(cluster.manager.declareRequirements(job.declaration(100, List.of())));
        cluster.call(cluster.manager.disconnectJobMaster(job.job, job.id, "finished"));

        assertThat(first.told).as("it has no slot of the job left").isEmpty();
        assertThat(second.told).containsExactly("free 1 of count " + job.id);
    }
}
