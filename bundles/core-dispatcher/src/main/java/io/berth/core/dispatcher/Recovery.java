package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.Failures;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.JobStore;
import io.berth.core.dispatcher.store.SubmissionOrder.SupersededException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins a term: reads what earlier Dispatchers stored, and repeats that until it succeeds. No call is answered
 * before. Confined to the main thread of the Dispatcher, except where noted.
 */
final class Recovery {

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long FIRST_RETRY_MILLIS = 200;
    private static final long LAST_RETRY_MILLIS = 5_000;

    private final DispatcherParts parts;
    private final long epoch;
    private final Consumer<List<JobRecord>> recovered;
    /** Each failed attempt fails it and replaces it by a new one. */
    private volatile CompletableFuture<Void> ready = new CompletableFuture<>();

    private volatile Optional<String> problem = Optional.empty();
    private volatile boolean closed;

    private record Found(JobStore.Recovered jobs, SortedSet<BundleRef> missing) {}

    /** @param recovered called once with the live jobs, in the order of submission */
    Recovery(DispatcherParts parts, long epoch, Consumer<List<JobRecord>> recovered) {
        this.parts = parts;
        this.epoch = epoch;
        this.recovered = recovered;
    }

    void begin() {
        attempt(0);
    }

    /** Completes when all jobs are read. Fails while they cannot be read, and after the term has ended. Thread-safe. */
    CompletableFuture<Void> ready() {
        CompletableFuture<Void> next = ready;
        return problem.map(message -> CompletableFuture.<Void>failedFuture(new IllegalStateException(message)))
                .orElse(next);
    }

    /** Whether all jobs are read and the term has not ended. Thread-safe. */
    boolean isReady() {
        CompletableFuture<Void> now = ready();
        return now.isDone() && !now.isCompletedExceptionally() && !closed;
    }

    /** Runs the action on the main thread when all jobs are read. Fails as {@link #ready} does. Thread-safe. */
    <T> CompletionStage<T> whenReady(Callable<CompletionStage<T>> action) {
        return ready().thenCompose(all -> parts.mainThread().call(action)).thenCompose(Function.identity());
    }

    /** Ends the term. Thread-safe. */
    void close() {
        closed = true;
        ready.completeExceptionally(new IllegalStateException("the Dispatcher has ended"));
    }

    private void failed(String message) {
        problem = Optional.of(message);
        CompletableFuture<Void> waiting = ready;
        ready = new CompletableFuture<>();
        waiting.completeExceptionally(new IllegalStateException(message));
        if (closed) {
            close();
        }
    }

    private void attempt(int failures) {
        CompletionStage<Found> read = parts.stored(() -> {
            JobStore.Recovered jobs = parts.store().recover();
            List<BundleRef> used = jobs.live().stream()
                    .flatMap(job -> job.graph().bundles().stream())
                    .toList();
            return new Found(jobs, parts.environment().bundles().begin(epoch, used));
        });
        parts.mainThread().whenComplete(read, (found, failure) -> {
            if (failure == null) {
                apply(found);
            } else if (Failures.cause(failure) instanceof SupersededException superseded) {
                failed(String.valueOf(superseded.getMessage()));
                LOG.error("The Dispatcher does not start: {}", superseded.getMessage());
            } else {
                long delay = Math.min(LAST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(failures, 10));
                String message =
                        "the job store cannot be read: " + Failures.text(failure) + "; the Dispatcher tries again";
                failed(message);
                LOG.error("{} in {} ms", message, delay);
                parts.mainThread().schedule(delay, () -> attempt(failures + 1));
            }
        });
    }

    private void apply(Found found) {
        JobStore.Recovered jobs = found.jobs();
        jobs.live().forEach(job -> parts.table().add(new JobRecord(job, true)));
        jobs.ended().forEach(parts.table()::add);
        jobs.submissionKeys().forEach(parts.table()::remember);
        jobs.damaged().forEach(job -> parts.table().add(job.key(), damaged(job)));
        LOG.info(
                "Dispatcher took over {} live and {} ended jobs; {} have an unreadable record",
                jobs.live().size(),
                jobs.ended().size(),
                jobs.damaged().size());
        reportMissing(found.missing());
        problem = Optional.empty();
        ready.complete(null);
        recovered.accept(parts.table().live());
    }

    private void reportMissing(SortedSet<BundleRef> missing) {
        for (BundleRef bundle : missing) {
            SortedSet<String> users = new TreeSet<>();
            parts.table().live().stream()
                    .filter(job -> job.graph().bundles().contains(bundle))
                    .forEach(job -> users.add(job.id().value()));
            LOG.error(
                    "Bundle {} of job {} is missing: upload it again, or tasks of the job cannot start",
                    bundle.sha256(),
                    String.join(", ", users));
        }
    }

    private JobDetails damaged(JobStore.Damaged job) {
        long now = parts.wallMillis();
        String reason = "its record cannot be read, so it does not run: " + job.reason();
        return JobDetails.of(job.key().id(), job.key().id().value())
                .submissionIndex(job.key().index())
                .status(JobStatus.FAILED)
                .endedMillis(now)
                .reason(reason)
                .history(List.of(new Transition(now, JobStatus.FAILED, reason)))
                .build();
    }
}
