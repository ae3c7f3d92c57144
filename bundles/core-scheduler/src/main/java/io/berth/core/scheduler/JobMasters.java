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

/** Runs the JobMasters of this process, each on a main thread of its own over the shared pool. */
final class JobMasters implements JobMastersGateway {

    private static final Logger LOG = LoggerFactory.getLogger(JobMasters.class);

    private record Running(JobMaster jobMaster, Served served, long startedMillis) {}

    /** JobMasters of one job that failed one soon after the other, and what the last one threw. */
    private record Failed(int times, Throwable last) {}

    /** After so many JobMasters that failed, the next one fails the job. */
    private static final int MAX_JOB_MASTERS = 3;

    /** How many JobMasters of one term are told apart by their epochs. */
    private static final int TERM_BITS = 20;

    private final FencingToken term;
    private final JobMastersTerm.Environment environment;
    private final MainThread mainThread;
    private final SortedMap<JobId, Running> running = new TreeMap<>();
    private final SortedMap<JobId, Failed> failures = new TreeMap<>();
    private final Consumer<? super Throwable> failed;
    private long started;
    private boolean stopped;

    /** @param failed receives what cannot be settled with one job */
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
            // Not answered: an error would fail the job, which another process may run.
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
                // Nothing is kept of it: the Dispatcher fails the job with that cause.
                return CompletableFuture.failedFuture(failure);
            }
        }
        known.jobMaster().reportTo(start.dispatcher());
        return CompletableFuture.completedFuture(known.served().endpoint());
    }

    /** Ordered: by term, and within it by their start. So a job's next JobMaster is always newer than its last. */
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
        // From here on nothing throws.
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
     * A JobMaster threw on its main thread, and may be half changed. It ends at once and tells nobody; the Dispatcher, which
     * finds it gone, has the job started again, and its workers keep their slots meanwhile. On the thread of the JobMaster.
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
            boolean steady =
                    lastedMillis >= environment.configuration().get().restart().resetMillis();
            int times =
                    steady || !failures.containsKey(job) ? 1 : failures.get(job).times() + 1;
            failures.put(job, new Failed(times, failure));
            LOG.error(
                    "job {}: JobMaster {} failed after {} ms and ends: the job is started again",
                    job,
                    token,
                    lastedMillis);
            running.remove(job);
            abandon(broken);
        });
    }

    private static void abandon(Running ended) {
        serveNoMore(ended.served());
        ended.jobMaster().abandon();
    }

    /** Whoever it is served for ends in any case: then its calls fail. */
    static void serveNoMore(Served served) {
        try {
            served.close();
        } catch (RuntimeException failure) {
            LOG.warn("{} could not be taken back, calls to it fail from now on", served.endpoint(), failure);
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

    /** How many JobMasters there are. */
    CompletionStage<Integer> count() {
        return mainThread.call(running::size);
    }

    /**
     * Ends all JobMasters. Their workers end the tasks and keep the slots for the next JobMasters. Completes when they
     * know, or do not answer.
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

    /** Serves and does nothing any more, and tells nobody. */
    void close() {
        mainThread.execute(() -> {
            stopped = true;
            running.values().forEach(JobMasters::abandon);
            running.clear();
            mainThread.close();
        });
    }
}
