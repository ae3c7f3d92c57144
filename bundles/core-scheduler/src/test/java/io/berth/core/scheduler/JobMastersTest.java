package io.berth.core.scheduler;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class JobMastersTest {

    private final Harness harness = new Harness();

    @Test
    void startingAJobAgainReturnsTheSameJobMaster() {
        EndpointRef first = harness.start(wordCount(1, 1));
        assertThat(harness.start(wordCount(1, 1))).isEqualTo(first);
        assertThat(Harness.now(harness.jobMasters.count())).isEqualTo(1);
    }

    @Test
    void keepsNothingOfAThousandEndedJobs() {
        List<WeakReference<Object>> ended = new ArrayList<>();
        for (int number = 0; number < 1_000; number++) {
            harness.start(wordCount("job-" + number, 1, 1));
            FakeWorker worker = harness.worker("w1", number + 1);
            ended.add(new WeakReference<>(harness.jobMaster()));
            worker.offer(1, 1, "default", SLOT);
            if (number % 2 == 0) {
                harness.finishAll();
            } else {
                harness.jobMaster().cancel("enough");
            }
            assertThat(harness.lastReport().status().isTerminal()).isTrue();
            worker.close();
            harness.workers.clear();
            harness.dispatcher.reports.clear();
        }
        assertThat(Harness.now(harness.jobMasters.count())).isZero();
        assertThat(harness.time.pending()).isZero();
        assertThat(harness.policies.open).hasValue(0);
        assertThat(harness.rpc.served).containsOnlyKeys(EndpointName.RESOURCE_MANAGER, EndpointName.DISPATCHER);
        // The fake transport remembers the gateway that was served last.
        ended.remove(999);
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            System.gc();
            assertThat(ended).allSatisfy(each -> assertThat(each.get()).isNull());
        });
    }

    @Test
    void stoppingReleasesEverythingOfAnEndedJob() {
        harness.start(wordCount(1, 1));
        FakeWorker worker = harness.worker("w1");
        worker.offer(1, 1, "default", SLOT);
        harness.dispatcher.away = true;
        harness.finishAll();
        Harness.now(harness.jobMasters.stop("the process stops"));
        assertThat(worker.disconnected).containsExactly(true);
        assertThat(harness.resourceManager.disconnected).hasSize(1);
        assertThat(harness.resourceManager.lastDeclaration().units()).isEmpty();
        assertThat(Harness.now(harness.jobMasters.count())).isZero();
    }

    @Test
    void stoppingReportsNoEndToTheDispatcher() {
        harness.start(wordCount(1, 1));
        harness.worker("w1").offer(1, 1, "default", SLOT);
        assertThat(harness.status()).isEqualTo(JobStatus.EXECUTING);
        Harness.now(harness.jobMasters.stop("the process stops"));
        harness.time.advance(60_000);
        assertThat(harness.lastReport().status())
                .as("the job continues in another process")
                .isEqualTo(JobStatus.EXECUTING);
    }
}
