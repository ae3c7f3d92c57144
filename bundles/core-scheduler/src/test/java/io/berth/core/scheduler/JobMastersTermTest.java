package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class JobMastersTermTest {

    private final ManualTime time = new ManualTime();
    private final FakeRpc rpc = new FakeRpc();
    private final FakePolicies policies = new FakePolicies();
    private final FakeResourceManager resourceManager = new FakeResourceManager();
    private final FakeDirectory directory = new FakeDirectory(rpc.address());
    private final FakeDispatcher first = new FakeDispatcher();
    private final FakeDispatcher second = new FakeDispatcher();
    private final EndpointRef firstAt =
            rpc.serve(EndpointName.DISPATCHER, token(1), first).endpoint();
    private int ids;

    private static FencingToken token(long epoch) {
        return new FencingToken(epoch, new UUID(0, epoch));
    }

    private JobMastersTerm term(long epoch) {
        rpc.serve(EndpointName.RESOURCE_MANAGER, token(1), resourceManager);
        return new JobMastersTerm(
                token(epoch),
                new JobMastersTerm.Environment(
                        time,
                        time,
                        Runnable::run,
                        rpc,
                        policies,
                        directory,
                        () -> new UUID(9, 1_000 - ++ids),
                        () -> SchedulerConfiguration.DEFAULTS),
                failure -> {
                    throw new AssertionError(failure);
                });
    }

    private EndpointRef startJob(String job, EndpointRef dispatcher) {
        JobMastersGateway gateway = (JobMastersGateway) rpc.served.get(EndpointName.JOB_MASTERS);
        return Harness.now(gateway.startJob(new JobStart(wordCount(job, 1, 1), 5, dispatcher)));
    }

    private FakeWorker run(String job, EndpointRef jobMaster) {
        FakeWorker worker = new FakeWorker(rpc, rpc.jobMaster(jobMaster), "w-" + job, 1);
        worker.register();
        worker.offer(1, 1, "default", SLOT);
        return worker;
    }

    @Test
    void isServedUnderTheTokenOfItsGrant() {
        assertThat(term(7).start().token()).isEqualTo(token(7));
    }

    @Test
    void eachJobMasterIsNewerThanAllPreviousOnes() {
        JobMastersTerm earlier = term(7);
        earlier.start();
        EndpointRef one = startJob("job-1", firstAt);
        rpc.jobMaster(one).cancel("enough");
        EndpointRef two = startJob("job-1", firstAt);
        assertThat(two.token()).isGreaterThan(one.token());
        assertThat(two.token().epoch())
                .as("for peers that compare only epochs")
                .isGreaterThan(one.token().epoch());
        earlier.close();
        term(8).start();
        EndpointRef three = startJob("job-1", firstAt);
        assertThat(three.token().epoch()).isGreaterThan(two.token().epoch());
    }

    @Test
    void aClosedTermDoesNothingAndSendsNothing() {
        JobMastersTerm term = term(1);
        term.start();
        EndpointRef jobMaster = startJob("job-1", firstAt);
        FakeWorker worker = run("job-1", jobMaster);
        assertThat(Harness.now(rpc.jobMaster(jobMaster).details()).status()).isEqualTo(JobStatus.EXECUTING);
        int reports = first.reports.size();
        term.close();
        term.close();
        time.advance(1_000_000);
        assertThat(worker.disconnected).isEmpty();
        assertThat(worker.freed).isEmpty();
        assertThat(worker.tasks).isNotEmpty();
        assertThat(resourceManager.disconnected).isEmpty();
        assertThat(resourceManager.lastDeclaration().units()).isNotEmpty();
        assertThat(first.reports).hasSize(reports);
        assertThat(rpc.served).doesNotContainKeys(EndpointName.JOB_MASTERS, EndpointName.jobMaster(new JobId("job-1")));
        assertThat(time.pending()).isZero();
        assertThat(directory.followers()).isZero();
        assertThat(policies.open).hasValue(0);
    }

    @Test
    void stoppingKeepsTheSlotsForTheNextTermAndServesNothing() {
        JobMastersTerm term = term(1);
        term.start();
        FakeWorker worker = run("job-1", startJob("job-1", firstAt));
        List<Boolean> served = new ArrayList<>();
        worker.whenDisconnected = () -> served.add(rpc.served.containsKey(EndpointName.jobMaster(new JobId("job-1"))));
        Harness.now(term.stop("the process stops"));
        assertThat(worker.disconnected).as("the job has not ended").containsExactly(false);
        assertThat(served)
                .as("no JobMaster rejects a worker that registers again")
                .containsExactly(false);
        assertThat(worker.freed).isEmpty();
        assertThat(resourceManager.disconnected).isEmpty();
        assertThat(resourceManager.lastDeclaration().units()).isNotEmpty();
        assertThat(first.reports)
                .noneSatisfy(
                        details -> assertThat(details.status().isTerminal()).isTrue());
        assertThat(Harness.now(term.count())).isZero();
        assertThat(rpc.served).doesNotContainKey(EndpointName.JOB_MASTERS);
        term.close();
        assertThat(directory.followers()).isZero();
    }

    @Test
    void aStartThatArrivesWhileTheTermEndsIsNotAnswered() {
        JobMastersTerm term = term(1);
        term.start();
        JobMastersGateway gateway = (JobMastersGateway) rpc.served.get(EndpointName.JOB_MASTERS);
        term.stop("the process stops");
        assertThat(gateway.startJob(new JobStart(wordCount(1, 1), 5, firstAt)).toCompletableFuture())
                .isNotDone();
        assertThat(Harness.now(term.count())).isZero();
    }

    @Test
    void aRestartedDispatcherTakesOverARunningJob() {
        term(1).start();
        EndpointRef jobMaster = startJob("job-1", firstAt);
        run("job-1", jobMaster);
        EndpointRef secondAt =
                rpc.serve(EndpointName.DISPATCHER, token(2), second).endpoint();
        int reports = first.reports.size();
        assertThat(startJob("job-1", secondAt)).isEqualTo(jobMaster);
        assertThat(second.reports)
                .last()
                .satisfies(details -> assertThat(details.status()).isEqualTo(JobStatus.EXECUTING));
        // A late request of the previous Dispatcher.
        assertThat(startJob("job-1", firstAt)).isEqualTo(jobMaster);
        rpc.jobMaster(jobMaster).cancel("enough");
        time.advance(60_000);
        assertThat(second.reports)
                .last()
                .satisfies(details -> assertThat(details.status().isTerminal()).isTrue());
        assertThat(first.reports).hasSize(reports);
    }

    @Test
    void f08_theEndIsReportedToTheNewDispatcherWhenThePreviousOneDoesNotAnswer() {
        term(1).start();
        EndpointRef jobMaster = startJob("job-1", firstAt);
        first.silent = true;
        rpc.jobMaster(jobMaster).cancel("enough");
        assertThat(rpc.served).containsKey(EndpointName.jobMaster(new JobId("job-1")));
        EndpointRef secondAt =
                rpc.serve(EndpointName.DISPATCHER, token(2), second).endpoint();
        assertThat(startJob("job-1", secondAt)).isEqualTo(jobMaster);
        assertThat(second.reports)
                .last()
                .satisfies(details -> assertThat(details.status()).isEqualTo(JobStatus.CANCELED));
        assertThat(rpc.served).doesNotContainKey(EndpointName.jobMaster(new JobId("job-1")));
    }

    @Test
    void looksUpTheDispatcherAgainWhenItDoesNotAnswer() {
        term(1).start();
        EndpointRef jobMaster = startJob("job-1", firstAt);
        first.away = true;
        rpc.serve(EndpointName.DISPATCHER, token(2), second);
        run("job-1", jobMaster);
        time.advance(1_000);
        assertThat(second.reports)
                .last()
                .satisfies(details -> assertThat(details.status()).isEqualTo(JobStatus.EXECUTING));
    }
}
