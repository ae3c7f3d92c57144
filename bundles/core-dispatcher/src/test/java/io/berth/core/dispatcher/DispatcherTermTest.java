package io.berth.core.dispatcher;

import static io.berth.core.dispatcher.TestControlPlane.JOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.time.Pools;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A term begins once and does nothing after its end. */
class DispatcherTermTest {

    @TempDir
    Path directory;

    private TestControlPlane plane;

    @BeforeEach
    void start() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
    }

    private static void assertEnded(CompletionStage<?> answer) {
        assertThatThrownBy(() -> answer.toCompletableFuture().getNow(null)).hasMessageContaining("has ended");
    }

    @Test
    void answersNothingAfterItsEnd() {
        JobId id = plane.submit(JOB);
        var gateway = plane.gateway();
        plane.term.close();
        plane.term.close();

        assertThat(plane.cluster.dispatcher).isEmpty();
        assertEnded(plane.term.jobs().submit(JOB));
        assertEnded(plane.term.jobs().jobs());
        assertEnded(plane.term.jobs().cancel(id, "late"));
        assertEnded(gateway.jobChanged(id, plane.cluster.jobMasterId(id), plane.details(id, JobStatus.FINISHED)));
        assertThat(plane.store.records.keySet()).noneMatch(key -> key.startsWith(JobKey.ENDED));
    }

    @Test
    void failsACallThatHasNoAnswerAtItsEnd() {
        JobId id = plane.submit(JOB);
        plane.cluster.detailsHang = true;
        var one = plane.term.jobs().job(id);
        assertThat(one.toCompletableFuture()).isNotDone();
        plane.term.close();

        assertEnded(one);
    }

    @Test
    void startsNoJobMastersAfterItsEnd() {
        JobId id = plane.submit(JOB);
        plane.term.close();
        plane.cluster.lead();
        for (int i = 0; i < 10; i++) {
            plane.timers.jump(5_000);
        }

        assertThat(plane.cluster.runs(id)).isFalse();
    }

    @Test
    void failsCallsThatWaitForAStoreThatIsNeverRead() throws IOException {
        plane.store.unreadable = true;
        plane.restart();
        plane.term.close();

        assertThatThrownBy(() -> plane.term.jobs().jobs().toCompletableFuture().getNow(null))
                .hasMessageContaining("cannot be read");
    }

    @Test
    void beginsOnce() {
        assertThatThrownBy(() -> plane.term.start()).hasMessageContaining("has begun");
        plane.term.close();
        assertThatThrownBy(() -> plane.term.start()).hasMessageContaining("has ended");
    }

    @Test
    void jobsSubmittedOnManyThreadsHaveUniquePlacesInTheOrderOfTheirStarts() throws IOException {
        plane.term.close();
        ExecutorService pool = Pools.fixed("test-main", 2);
        ExecutorService io = Pools.fixed("test-io", 4);
        try {
            plane.pool = pool;
            plane.io = io;
            plane.start();
            List<CompletableFuture<SubmitResult>> submitted = IntStream.range(0, 200)
                    .mapToObj(each -> plane.term.jobs().submit(JOB).toCompletableFuture())
                    .toList();
            submitted.forEach(result -> assertThat(result.join()).isInstanceOf(SubmitResult.Submitted.class));

            List<JobDetails> jobs =
                    plane.term.jobs().jobs().toCompletableFuture().join();
            assertThat(jobs).extracting(JobDetails::id).doesNotHaveDuplicates().hasSize(200);
            assertThat(jobs)
                    .extracting(JobDetails::submissionIndex)
                    .containsExactlyElementsOf(
                            LongStream.rangeClosed(1, 200).boxed().toList());
            assertThat(plane.cluster.started)
                    .extracting(start -> start.graph().submissionIndex())
                    .isSorted();
            plane.term.close();
        } finally {
            pool.shutdownNow();
            io.shutdownNow();
        }
    }
}
