package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.now;
import static io.berth.worker.WorkerFixture.ref;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeptResultsTest {

    private final WorkerFixture fixture = new WorkerFixture().registered();
    private final TaskExecutor worker = fixture.worker;
    private final FakeRuntime runtime = fixture.runtime;

    @BeforeEach
    void allocate() {
        fixture.allocate(fixture.request(1));
    }

    private static Output output(int edge, Exchange exchange) {
        return new Output(
                edge, Partitioning.HASH, exchange, new ChainedOperator("count", "count", new TreeMap<>()), 128, 128);
    }

    private FakeRuntime.Task deploy(int subtask) {
        TaskDeployment task = new TaskDeployment(
                attempt(subtask),
                "words",
                fixture.leader,
                ref(EndpointName.DISPATCHER, 1),
                slot(1),
                "dataflow",
                1,
                128,
                List.of(),
                List.of(),
                List.of(),
                List.of(output(3, Exchange.BLOCKING), output(4, Exchange.PIPELINED), output(5, Exchange.BLOCKING)));
        assertThat(now(worker.deployTasks(new Deployments(fixture.leaderId, List.of(task))))
                        .answers())
                .extracting(DeploymentAnswer::refusal)
                .containsExactly("");
        return runtime.tasks.get(attempt(subtask));
    }

    private void finish(int subtask) {
        deploy(subtask).end.complete(new Outcome.Finished());
    }

    private static PartitionId result(int subtask, int edge) {
        return new PartitionId(attempt(subtask), edge);
    }

    private int results() {
        return fixture.report().results();
    }

    @Test
    void resultsOfFinishedTasksAreKeptAndReportedAndThoseOfOtherTasksAreNot() {
        finish(0);
        assertThat(results()).isEqualTo(2);
        deploy(1).end.complete(new Outcome.Failed("its own fault", FailureKind.TRANSIENT));
        deploy(2).end.complete(new Outcome.Canceled());
        assertThat(results()).isEqualTo(2);
        finish(3);
        assertThat(results()).isEqualTo(4);
        assertThat(fixture.jobHeartbeat().results())
                .as("its JobMaster learns it")
                .isEqualTo(4);
        assertThat(runtime.released).isEmpty();
        assertThat(runtime.releasedJobs).isEmpty();
    }

    @Test
    void aLostResultIsReportedWithTheFailure() {
        PartitionId lost = new PartitionId(new AttemptId(JOB, "before", 1, 1, 1), 2);
        deploy(0).end.complete(new Outcome.Failed("it is gone", FailureKind.CONSEQUENCE, "", Optional.of(lost)));

        assertThat(fixture.jobMaster.updates.get(1).lost()).contains(lost);
        assertThat(fixture.jobMaster.updates.get(0).lost()).isEmpty();
    }

    @Test
    void itsJobMasterReleasesResultsAndNobodyElseDoes() {
        finish(0);
        finish(1);
        JobMasterId other = new JobMasterId(ref(fixture.leader.name(), 9).token());
        List<PartitionId> three = List.of(result(0, 3), result(1, 3), result(1, 5));

        now(worker.releaseResults(JOB, other, three));
        now(worker.releaseResults(new JobId("other"), fixture.leaderId, three));
        assertThat(results()).isEqualTo(4);
        assertThat(runtime.released).isEmpty();

        now(worker.releaseResults(JOB, fixture.leaderId, List.of(result(0, 3), result(1, 3), result(7, 3))));
        now(worker.releaseResults(JOB, fixture.leaderId, List.of(result(0, 3), result(1, 5))));
        assertThat(results()).isEqualTo(1);
        assertThat(runtime.released).containsExactly(result(0, 3), result(1, 3), result(1, 5));
    }

    @Test
    void theEndOfTheJobReleasesAll() {
        finish(0);

        now(worker.disconnectJobMaster(JOB, fixture.leaderId, new InstanceId(1), true, "the job has finished"));

        assertThat(results()).isZero();
        assertThat(runtime.releasedJobs).containsExactly(JOB);
    }

    @Test
    void aNewerJobMasterStartsWithoutThem() {
        finish(0);
        EndpointRef next = ref(fixture.leader.name(), 2);
        fixture.rpc.connect(next, fixture.jobMaster);

        fixture.jobMasterChanged(next, false);

        assertThat(results()).isZero();
        assertThat(runtime.releasedJobs).containsExactly(JOB);
    }

    @Test
    void withoutItsJobMasterTheyAreKeptAsLongAsSlots() {
        finish(0);
        fixture.free(1, "the job needs it no longer");
        fixture.jobMaster.unreachable = true;
        fixture.disconnectJobMaster(1);
        fixture.passTime(9_000);
        assertThat(results()).isEqualTo(2);

        fixture.passTime(2_000);

        assertThat(results()).isZero();
        assertThat(runtime.releasedJobs).containsExactly(JOB);
    }

    @Test
    void aJobMasterThatComesBackFindsThem() {
        finish(0);
        fixture.jobMaster.unreachable = true;
        fixture.disconnectJobMaster(1);
        fixture.passTime(5_000);
        fixture.jobMaster.unreachable = false;
        fixture.jobMaster.instance = 2;
        fixture.passTime(4_000);
        int registrations = fixture.jobMaster.registrations.size();
        assertThat(registrations).isGreaterThan(1);

        fixture.passTime(30_000, 1);

        assertThat(results()).isEqualTo(2);
        assertThat(runtime.releasedJobs).isEmpty();
    }

    /** A JobMaster disconnects a worker that has no slot of the job, also while other tasks of a producer still run. */
    @Test
    void aWorkerThatIsDisconnectedWithoutASlotRegistersAgainAndKeepsThem() {
        finish(0);
        fixture.free(1, "it is gone");
        fixture.jobMaster.instance = 2;
        int registrations = fixture.jobMaster.registrations.size();
        fixture.disconnectJobMaster(1);

        fixture.passTime(5_000);
        assertThat(fixture.jobMaster.registrations).hasSizeGreaterThan(registrations);
        for (int second = 0; second < 30; second++) {
            fixture.passTime(1_000);
            fixture.jobHeartbeat();
        }

        assertThat(results()).isEqualTo(2);
        assertThat(runtime.releasedJobs).isEmpty();
        now(worker.releaseResults(JOB, fixture.leaderId, List.of(result(0, 3), result(0, 5))));
        assertThat(results()).isZero();
    }

    @Test
    void resultsOfATaskThatOutlivesItsJobMasterAreReleasedAtItsEnd() {
        runtime.slowCancel = true;
        FakeRuntime.Task task = deploy(0);
        now(worker.disconnectJobMaster(JOB, fixture.leaderId, new InstanceId(1), true, "the job has failed"));

        task.end.complete(new Outcome.Finished());

        assertThat(results()).isZero();
        assertThat(runtime.released).containsExactly(result(0, 3), result(0, 5));
    }

    @Test
    void aWorkerWithResultsDoesNotExitUnlessItMustOrLeaves() {
        finish(0);
        fixture.free(1, "the job needs it no longer");
        assertThat(fixture.report().slots()).isEmpty();
        assertThat(now(worker.exit(fixture.masterId, false, "idle"))).isFalse();

        now(worker.leave(
                fixture.masterId,
                1,
                new WorkerLeaves(
                        Optional.of(new WorkerLeave(WorkerLeave.NO_DEADLINE, "new kernel")), Optional.empty())));
        assertThat(now(worker.exit(fixture.masterId, false, "drained"))).isTrue();
    }

    @Test
    void aWorkerWithResultsExitsWhenItMust() {
        finish(0);

        assertThat(now(worker.exit(fixture.masterId, true, "its spec is gone"))).isTrue();
    }
}
