package io.berth.simulator.world;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.DispatcherGateway.BundleChunk;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.rpc.InProcessRpc;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.JobId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;

/**
 * The part of a Dispatcher that the simulated world needs. It starts the jobs that have not ended at the current
 * leader for JobMasters, again at each new one, and remembers which jobs have ended. It rejects a JobMaster that is
 * older than the newest of its job. Its gateway is made with {@link PartialGateway}.
 */
final class DispatcherStandIn {

    private static final long LOOK_MILLIS = 2_000;

    private final DispatcherId id;
    private final JobStore jobs;
    private final Incarnation process;
    private final InProcessRpc rpc;
    private final Directory directory;
    private final BooleanSupplier jobMastersFail;
    private final SortedMap<JobId, FencingToken> startedAt = new TreeMap<>();
    private final SortedMap<JobId, JobMasterId> newest = new TreeMap<>();
    /** The requirements that a JobMaster of each job is known to have. */
    private final SortedMap<JobId, Told> told = new TreeMap<>();

    private record Told(JobMasterId jobMaster, long revision) {}

    private Optional<RpcService.Served> served = Optional.empty();
    private boolean closed;

    DispatcherStandIn(
            DispatcherId id,
            JobStore jobs,
            Incarnation process,
            InProcessRpc rpc,
            Directory directory,
            BooleanSupplier jobMastersFail) {
        this.id = id;
        this.jobs = jobs;
        this.process = process;
        this.rpc = rpc;
        this.directory = directory;
        this.jobMastersFail = jobMastersFail;
    }

    EndpointRef start() {
        RpcService.Served endpoint =
                rpc.serve(EndpointName.DISPATCHER, id.token(), PartialGateway.of(DispatcherGateway.class, this));
        served = Optional.of(endpoint);
        look();
        return endpoint.endpoint();
    }

    void close() {
        closed = true;
        served.ifPresent(RpcService.Served::close);
    }

    private void look() {
        if (closed) {
            return;
        }
        Optional<RpcAddress> jobMasters = directory.find(EndpointName.JOB_MASTERS);
        jobMasters.ifPresent(
                address -> rpc.resolve(address, EndpointName.JOB_MASTERS).thenAccept(this::startJobs));
        process.schedule(LOOK_MILLIS, this::look);
    }

    private void startJobs(EndpointRef jobMasters) {
        if (closed || served.isEmpty()) {
            return;
        }
        for (JobStore.Stored job : jobs.unfinished()) {
            JobId jobId = job.graph().id();
            FencingToken before = startedAt.get(jobId);
            if (before != null && before.compareTo(jobMasters.token()) >= 0) {
                if (jobMastersFail.getAsBoolean()) {
                    lookFor(jobId, jobMasters);
                }
                tell(job, jobMasters);
                continue;
            }
            rpc.jobMasters(jobMasters)
                    .startJob(new JobStart(
                            job.graph(), job.submittedMillis, served.get().endpoint()))
                    .thenAccept(jobMaster -> {
                        startedAt.merge(
                                jobId, jobMasters.token(), (one, other) -> one.compareTo(other) > 0 ? one : other);
                        JobMasterId started = new JobMasterId(jobMaster.token());
                        newest.merge(jobId, started, (one, other) -> one.compareTo(other) > 0 ? one : other);
                    });
        }
    }

    /** Tells the JobMaster what the job requires now, until it answers. */
    private void tell(JobStore.Stored job, EndpointRef jobMasters) {
        JobId id = job.graph().id();
        ParallelismBounds bounds = job.graph().bounds();
        JobMasterId known = newest.get(id);
        boolean isTold = known != null && new Told(known, bounds.revision()).equals(told.get(id));
        if (bounds.revision() > 1 && !isTold) {
            rpc.resolve(jobMasters.address(), EndpointName.jobMaster(id))
                    .thenCompose(jobMaster -> rpc.jobMaster(jobMaster)
                            .changeBounds(bounds)
                            .thenAccept(done ->
                                    told.put(id, new Told(new JobMasterId(jobMaster.token()), bounds.revision()))));
        }
    }

    /** Its JobMaster may have failed although the role continues: then the job is started there again. */
    private void lookFor(JobId job, EndpointRef jobMasters) {
        rpc.resolve(jobMasters.address(), EndpointName.jobMaster(job)).whenComplete((there, failure) -> {
            if (failure != null && Failures.kind(failure).equals(Optional.of(RpcException.Kind.NOT_FOUND))) {
                startedAt.remove(job, jobMasters.token());
            }
        });
    }

    CompletionStage<Acknowledge> jobChanged(JobId job, JobMasterId jobMaster, JobDetails details) {
        JobMasterId known = newest.get(job);
        if (known != null && known.compareTo(jobMaster) > 0) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("job " + job + ": JobMaster " + jobMaster + " is older than " + known));
        }
        newest.put(job, jobMaster);
        if (jobs.find(job).filter(JobStore.Stored::hasEnded).isPresent()
                && !details.status().isTerminal()) {
            endStray(job);
        }
        if (details.status().isTerminal()) {
            jobs.find(job).ifPresent(stored -> jobs.ended(stored, jobMaster, details));
        }
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }

    /** A late message has started a job again that had already ended. */
    private void endStray(JobId job) {
        directory
                .find(EndpointName.JOB_MASTERS)
                .ifPresent(address -> rpc.resolve(address, EndpointName.jobMaster(job))
                        .thenAccept(jobMaster -> rpc.jobMaster(jobMaster).cancel("the job has ended")));
    }

    CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
        return CompletableFuture.completedFuture(new BundleChunk(new byte[0]));
    }
}
