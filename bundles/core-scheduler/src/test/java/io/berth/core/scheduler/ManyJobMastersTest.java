package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ManyJobMastersTest {

    private static final int JOBS = 1_000;

    private final FakeRpc rpc = new FakeRpc();
    private final FakeDispatcher dispatcher = new FakeDispatcher();
    private final FakePolicies policies = new FakePolicies();

    @Test
    void aThousandJobsAtOnceShareTwoThreads() throws Exception {
        ExecutorService pool = Pools.fixed("berth-core-scheduler-test", 2);
        try (SystemTimers timers = new SystemTimers("berth-core-scheduler-test-timers")) {
            JobMasters jobMasters = new JobMasters(
                    token(3),
                    new JobMastersTerm.Environment(
                            new SystemClock(),
                            timers,
                            pool,
                            rpc,
                            policies,
                            new FakeDirectory(rpc.address()),
                            UUID::randomUUID,
                            () -> SchedulerConfiguration.DEFAULTS),
                    failure -> {
                        throw new AssertionError(failure);
                    });
            rpc.serve(EndpointName.RESOURCE_MANAGER, token(1), new FakeResourceManager());
            EndpointRef reports =
                    rpc.serve(EndpointName.DISPATCHER, token(2), dispatcher).endpoint();
            for (int number = 0; number < JOBS; number++) {
                EndpointRef served = jobMasters
                        .startJob(new JobStart(wordCount("job-" + number, 2, 2), 5, reports))
                        .toCompletableFuture()
                        .get();
                offerSlots(rpc.jobMaster(served), number);
            }
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(
                                    jobMasters.count().toCompletableFuture().get())
                            .isZero());
            assertThat(dispatcher.reports.stream().filter(report -> report.status() == JobStatus.FINISHED))
                    .extracting(JobDetails::id)
                    .doesNotHaveDuplicates()
                    .hasSize(JOBS);
            assertThat(policies.open).hasValue(0);
        } finally {
            pool.shutdownNow();
        }
    }

    private void offerSlots(JobMasterGateway jobMaster, int number) {
        FakeWorker worker = new FakeWorker(rpc, jobMaster, "w" + number, 1);
        worker.finishesAtOnce = true;
        EndpointRef endpoint = rpc.resolve(rpc.address(), EndpointName.worker(worker.id))
                .toCompletableFuture()
                .join();
        jobMaster
                .registerWorker(new WorkerAtJob(worker.id, worker.session, endpoint, "h:1", SLOT, 0))
                .thenCompose(registered -> jobMaster.offerSlots(new SlotOffers(
                        worker.id,
                        worker.session,
                        1,
                        List.of(FakeWorker.offer(1, "default", SLOT), FakeWorker.offer(2, "default", SLOT)))));
    }

    private static FencingToken token(int number) {
        return new FencingToken(1, new UUID(0, number));
    }
}
