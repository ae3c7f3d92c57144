package io.berth.core.scheduler;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.JobMastersGateway;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.MainThread;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the JobMasters of this process. Each has its own main thread on the shared pool. */
final class JobMasters implements JobMastersGateway {

    private static final Logger LOG = LoggerFactory.getLogger(JobMasters.class);

    private record Running(JobMaster jobMaster, Served served, long startedMillis) {}

    /** JobMasters of one job that failed shortly after each other, and the last failure. */
    private record Failed(int times, Throwable last) {}

    /** After this many failed JobMasters, the next one fails the job. */
    private static final int MAX_JOB_MASTERS = 3;

    /** Bits of the epoch that number the JobMasters of one term. */
    private static final int TERM_BITS = 20;

    private final FencingToken term;
    private final JobMastersTerm.Environment environment;
    private final MainThread mainThread;
    private final SortedMap<JobId, Running> running = new TreeMap<>();
    private final SortedMap<JobId, Failed> failures = new TreeMap<>();
    private final Consumer<? super Throwable> failed;
    private long started;
    private boolean stopped;

    /** @param failed receives failures that concern more than one job */
    JobMasters(FencingToken term, JobMastersTerm.Environment environment, Consumer<? super Throwable> failed) {
        this.term = term;
        this.environment = environment;
        this.failed = failed;
        this.mainThread = new MainThread("JobMasters", environment.pool(), environment.timers(), failed);
    }

    @Override
    public CompletionStage<EndpointRef> startJob(JobStart start) {
        return mainThread.call(() -> startHere(start)).thenCompose(Function.identity());
    }

    private CompletionStage<EndpointRef> startHere(JobStart start) {
        if (stopped) {
            // No answer: an error would fail the job, which another process may run.
            LOG.info(
                    "job {}: not started, the JobMasters here end",
                    start.graph().id());
            return new CompletableFuture<>();
        }
        Running known = running.get(start.graph().id());
        if (known == null) {
            try {
                return CompletableFuture.completedFuture(serve(start));
            } catch (RuntimeException failure) {
                // Nothing of the job is kept: the Dispatcher fails it with that cause.
                return CompletableFuture.failedFuture(failure);
            }
        }
        known.jobMaster().reportTo(start.dispatcher());
        return CompletableFuture.completedFuture(known.served().endpoint());
    }

    /** Ordered by term, then by start: the next JobMaster of a job is always newer than its last. */
    private FencingToken nextToken() {
        long number = Math.min(++started, (1L << TERM_BITS) - 1);
        return new FencingToken(
                (term.epoch() << TERM_BITS) + number, environment.ids().get());
    }

    private EndpointRef serve(JobStart start) {
        JobId job = start.graph().id();
        EndpointName name = EndpointName.jobMaster(job);
        FencingToken token = nextToken();
        EndpointRef endpoint = new EndpointRef(environment.rpc().address(), name, token);
        long now = environment.clock().millis();
        JobMaster jobMaster =
                new JobMaster(environment, start, endpoint, failure -> jobMasterFailed(job, token, failure));
        Served served;
        try {
            served = environment.rpc().serve(name, token, jobMaster);
        } catch (RuntimeException failure) {
            jobMaster.abandon();
            throw failure;
        }
        // Nothing below throws.
        running.put(job, new Running(jobMaster, served, now));
        mainThread.whenComplete(jobMaster.ended(), (done, failure) -> forget(job, jobMaster));
        LOG.info("job {}: JobMaster {} starts", job, token);
        jobMaster.start(Optional.ofNullable(failures.get(job))
                .filter(failure -> failure.times() >= MAX_JOB_MASTERS)
                .map(failure -> failure.times()
                        + " JobMasters of the job failed one after the other, the last one with: " + failure.last()
                        + ". This is a defect of Berth; the log of the job-masters role has the cause"));
        return served.endpoint();
    }

    /**
     * A JobMaster threw on its main thread and may be half changed. It has ended at once, without a notice. The Dispatcher
     * finds it gone and starts the job again; its workers keep their slots until then. Called on the thread of the
     * JobMaster.
     */
    private void jobMasterFailed(JobId job, FencingToken token, Throwable failure) {
        if (FatalErrors.isFatal(failure)) {
            failed.accept(failure);
            return;
        }
        mainThread.execute(() -> {
            Running broken = running.get(job);
            if (broken == null || !broken.served().endpoint().token().equals(token)) {
                return;
            }
            long lastedMillis = environment.clock().millis() - broken.startedMillis();
            boolean steady = lastedMillis
                    >= environment.configuration().get().restart().delay().resetMillis();
            int times =
                    steady || !failures.containsKey(job) ? 1 : failures.get(job).times() + 1;
            failures.put(job, new Failed(times, failure));
            LOG.error(
                    "job {}: JobMaster {} failed after {} ms and ends: the job is started again",
                    job,
                    token,
                    lastedMillis);
            running.remove(job);
            serveNoMore(broken.served());
        });
    }

    private static void abandon(Running ended) {
        serveNoMore(ended.served());
        ended.jobMaster().abandon();
    }

    /** Calls fail in any case once the owner has ended. */
    static void serveNoMore(Served served) {
        try {
            served.close();
        } catch (RuntimeException failure) {
            LOG.warn("{} could not be closed; calls to it fail from now on", served.endpoint(), failure);
        }
    }

    private void forget(JobId job, JobMaster jobMaster) {
        Running ended = running.get(job);
        if (ended != null && ended.jobMaster() == jobMaster) {
            running.remove(job);
            failures.remove(job);
            serveNoMore(ended.served());
            LOG.info("job {}: JobMaster has ended", job);
        }
    }

    /** The number of JobMasters. */
    CompletionStage<Integer> count() {
        return mainThread.call(running::size);
    }

    /**
     * Ends all JobMasters. Their workers end the tasks and keep the slots for the next JobMasters. Completes when the
     * workers have answered or failed.
     */
    CompletionStage<Void> stop(String cause) {
        return mainThread
                .call(() -> {
                    stopped = true;
                    List<CompletableFuture<Void>> ends = new ArrayList<>();
                    running.values().forEach(each -> {
                        serveNoMore(each.served());
                        ends.add(each.jobMaster().stop(cause).toCompletableFuture());
                    });
                    return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
                })
                .thenCompose(all -> all);
    }

    /** Stops serving, without a notice to anyone. */
    void close() {
        mainThread.execute(() -> {
            stopped = true;
            running.values().forEach(JobMasters::abandon);
            running.clear();
            mainThread.close();
        });
    }
}
