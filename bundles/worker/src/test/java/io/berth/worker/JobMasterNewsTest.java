package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.fails;
import static io.berth.worker.WorkerFixture.ref;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a worker handles notices about JobMasters, who may send them, and where the worker searches for a JobMaster. */
class JobMasterNewsTest {

    private final WorkerFixture fixture = new WorkerFixture();
    private final FakeJobMaster jobMaster = fixture.jobMaster;

    private List<SlotReport.Slot> slots() {
        return fixture.report().slots();
    }

    @Test
    void lossNoticeEndsTheTasksOfAJobMasterThatDoesNotAnswer() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.unreachable = true;

        fixture.jobMasterChanged(fixture.leader, true);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(false);
    }

    @Test
    void lossNoticeHasNoEffectWhenTheJobMasterAnswers() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);

        fixture.jobMasterChanged(fixture.leader, true);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
    }

    @Test
    void lossNoticeEndsTheTasksOfAJobMasterThatAnswersTooLate() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.answer = new CompletableFuture<>();

        fixture.jobMasterChanged(fixture.leader, true);
        fixture.passTime(1_000, 1);
        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
        fixture.passTime(1_000, 1);

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isTrue();
    }

    @Test
    void slotsAreOfferedToANewJobMasterAtTheAddressInTheNotice() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        EndpointRef next = new EndpointRef(
                WorkerFixture.STANDBY,
                fixture.leader.name(),
                ref(fixture.leader.name(), 2).token());
        FakeJobMaster successor = new FakeJobMaster();
        fixture.rpc.connect(next, successor);

        fixture.jobMasterChanged(next, false);

        assertThat(successor.offers).hasSize(1);
        assertThat(slots()).extracting(SlotReport.Slot::active).containsExactly(true);
        assertThat(fixture.disk.kept).extracting(kept -> kept.jobMaster()).containsExactly(next);
    }

    @Test
    void noticesFromAResourceManagerThatDoesNotLeadAreRefused() {
        fixture.registered();
        fixture.allocate(fixture.request(1));
        fixture.deploy(0, 1);
        jobMaster.unreachable = true;
        ResourceManagerId other =
                new ResourceManagerId(ref(EndpointName.RESOURCE_MANAGER, 9).token());

        fails(
                fixture.worker.jobMasterChanged(new JobMasterChange(other, JOB, fixture.leader, true, "lost")),
                "is not registered at ResourceManager");

        assertThat(fixture.runtime.tasks.get(attempt(0)).canceled).isFalse();
    }

    @Test
    void aNewJobMasterIsFoundAtAnotherAddressOfTheControlPlane() {
        WorkerFixture two =
                new WorkerFixture(1, new FakeAllocationStore(), WorkerFixture.MASTER, WorkerFixture.STANDBY);
        two.registered();
        two.allocate(two.request(1));
        EndpointRef next = new EndpointRef(
                WorkerFixture.STANDBY,
                two.leader.name(),
                ref(two.leader.name(), 2).token());
        FakeJobMaster successor = new FakeJobMaster();
        two.rpc.connect(next, successor);
        two.rpc.withdraw(two.leader.name());
        two.rpc.publishAt(WorkerFixture.STANDBY, next);

        two.disconnectJobMaster(1);
        two.passTime(1_000);

        assertThat(successor.offers).hasSize(1);
    }
}
