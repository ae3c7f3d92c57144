package io.berth.testcluster;

import io.berth.client.JobInfo;
import io.berth.client.JobStatus;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.spi.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** A job of a test cluster. Thread-safe. */
public final class TestJob {

    private static final long ANSWER_SECONDS = 10;

    private final JobOperations jobs;
    private final JobId id;

    TestJob(JobOperations jobs, JobId id) {
        this.jobs = jobs;
        this.id = id;
    }

    public String id() {
        return id.value();
    }

    /** How the job is now. */
    public JobInfo info() {
        return info(answer(jobs.job(id)).orElseThrow(() -> new IllegalStateException("job " + id + " is forgotten")));
    }

    /**
     * Waits for the end of the job, however it ends.
     *
     * @throws TimeoutException when it runs on; the message says how it is
     */
    public JobInfo awaitEnd(Duration timeout) throws InterruptedException, TimeoutException {
        return await(info -> info.status().isTerminal(), timeout);
    }

    /** Waits until the job runs, or has ended. */
    public JobInfo awaitRunning(Duration timeout) throws InterruptedException, TimeoutException {
        return await(
                info -> info.status() == JobStatus.EXECUTING || info.status().isTerminal(), timeout);
    }

    /**
     * Waits until the job is as wished.
     *
     * @throws TimeoutException when it is not in time, or at once when it has ended otherwise; the message says how it is
     */
    public JobInfo await(Predicate<JobInfo> wished, Duration timeout) throws InterruptedException, TimeoutException {
        JobInfo seen = Polls.until(
                this::info,
                info -> wished.test(info) || info.status().isTerminal(),
                timeout,
                info -> "job " + id + " after " + timeout.toMillis() + " ms: " + text(info));
        if (!wished.test(seen)) {
            throw new TimeoutException("job " + id + " has ended, so waiting longer does not help: " + text(seen));
        }
        return seen;
    }

    private static String text(JobInfo info) {
        return info.status() + (info.reason().isEmpty() ? "" : ", " + info.reason());
    }

    /** Cancels the job. Returns at once; {@link #awaitEnd} waits for its end. */
    public void cancel() {
        answer(jobs.cancel(id, "the test cancels it"));
    }

    /** Changes the bounds of the parallelism of one vertex while the job runs; the maximum is desired. */
    public void scale(String vertex, int minimum, int maximum) {
        List<VertexBounds> bounds = new ArrayList<>();
        answer(jobs.requirements(id))
                .orElseThrow(() -> new IllegalStateException("job " + id + " has ended"))
                .vertices()
                .forEach(present -> bounds.add(
                        present.vertex().equals(vertex)
                                ? new VertexBounds(vertex, minimum, maximum, maximum)
                                : present));
        RequirementsResult result = answer(jobs.changeRequirements(id, OptionalLong.empty(), bounds));
        if (!(result instanceof RequirementsResult.Changed)) {
            throw new IllegalArgumentException(
                    "vertex '" + vertex + "' from " + minimum + " to " + maximum + " of job " + id + ": " + result);
        }
    }

    static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure.getCause());
        } catch (TimeoutException late) {
            throw new IllegalStateException("the test cluster does not answer within " + ANSWER_SECONDS + " s", late);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    private static JobInfo info(JobDetails job) {
        return new JobInfo(
                job.id().value(),
                job.name(),
                JobStatus.valueOf(job.status().name()),
                job.reason(),
                Instant.ofEpochMilli(job.submittedMillis()),
                moment(job.startedMillis()),
                moment(job.endedMillis()),
                job.restarts(),
                job.rescales(),
                job.vertices().stream()
                        .map(vertex -> new JobInfo.Vertex(
                                vertex.name(),
                                vertex.operator(),
                                vertex.minimum(),
                                vertex.desired(),
                                vertex.maximum(),
                                vertex.parallelism(),
                                vertex.recordsIn(),
                                vertex.recordsOut()))
                        .toList(),
                job.counters());
    }

    private static Optional<Instant> moment(long millis) {
        return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
    }

    @Override
    public String toString() {
        return id();
    }
}
