package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.JobStatus;
import io.berth.spi.AllocationId;
import org.junit.jupiter.api.Test;

/** How a JobMaster treats a worker (section 1.8 of docs/behavior.md). */
class WorkerAtJobTest {

    private final Harness harness = new Harness();

    private static AllocationId id(int number) {
        return new AllocationId(1, number);
    }

    @Test
    void aWorkerThatRegistersAgainInTheSameSessionKeepsItsSlotsAndTasks() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        for (int copy = 0; copy < 100; copy++) {
            assertThat(worker.register()).isInstanceOf(RegistrationResponse.Accepted.class);
        }
        harness.time.advance(5_000);

        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
        assertThat(harness.details().slots()).hasSize(2);
        assertThat(worker.disconnected).isEmpty();
        assertThat(worker.listedSlots).containsExactly(id(1), id(2));
    }

    @Test
    void aJobMasterThatWasPausedLosesNoWorker() {
        harness.start(wordCount(1, 2));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 2, "default", SLOT);
        harness.time.advance(5_000);
        harness.time.pause(60_000);
        harness.time.advance(5_000);

        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        assertThat(harness.details().restarts()).isZero();
        assertThat(worker.disconnected).isEmpty();
    }
}
