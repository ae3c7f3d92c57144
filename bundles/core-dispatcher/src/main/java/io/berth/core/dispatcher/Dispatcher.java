package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.DescriptionParser.ParseOutcome;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes jobs, gives each its place in the order of submission, has its JobMaster started and remembers how it ended
 * (FLIP-6, "Dispatcher"). Never runs user code and never waits for workers. State belongs to the main thread; reading of
 * descriptions and bundles happens on {@code io}. All methods may be called on any thread and none blocks, but {@link
 * #storeBundle}.
 */
final class Dispatcher implements DispatcherGateway, JobOperations, ClusterOperations {

    static final int MAX_CHUNK = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
    private static final long FIRST_RETRY_MILLIS = 100;
    private static final long LAST_RETRY_MILLIS = 5_000;
    private static final long MISSING_GRACE_MILLIS = 5_000;
    private static final long CANCEL_RETRY_MILLIS = 1_000;
    private static final String ID_CHARACTERS = "abcdefghijkmnpqrstuvwxyz23456789";

    private final MainThread mainThread;
    private final Executor io;
    private final Clock clock;
    private final Timers timers;
    private final RandomGenerator random;
    private final RpcService rpc;
    private final RoleDirectory directory;
    private final BundleStore bundles;
    private final JobCatalogue catalogue;
    private final Map<JobId, JobRecord> jobs = new LinkedHashMap<>();
    private volatile DispatcherSettings settings;
    private Optional<EndpointRef> self = Optional.empty();
    private long submissions;

    Dispatcher(MainThread mainThread, DispatcherTerm.Environment environment, DispatcherSettings settings) {
        this.mainThread = mainThread;
        this.io = environment.io();
        this.clock = environment.clock();
        this.timers = environment.timers();
        this.random = environment.random();
        this.rpc = environment.rpc();
        this.directory = environment.directory();
        this.bundles = environment.bundles();
        this.settings = settings;
        this.catalogue = new JobCatalogue() {
            @Override
            public Optional<StoredBundle> bundle(String sha256) {
                return bundles.find(sha256);
            }

            @Override
            public List<String> policies(PolicyKind kind) {
                return environment.policies().apply(kind);
            }
        };
    }

    /** The endpoint that JobMasters and workers are told. Before anything is submitted. */
    void servedAt(EndpointRef endpoint) {
        mainThread.execute(() -> self = Optional.of(endpoint));
    }

    void settings(DispatcherSettings newer) {
        settings = newer;
        mainThread.execute(this::forgetOldest);
    }

    // Jobs

    @Override
    public CompletionStage<SubmitResult> submit(String description) {
        return CompletableFuture.supplyAsync(() -> DescriptionParser.parse(description, catalogue), io)
                .thenCompose(outcome -> mainThread.call(() -> accept(outcome)));
    }

    private SubmitResult accept(ParseOutcome outcome) {
        if (outcome.draft().isEmpty()) {
            return new SubmitResult.Refused(outcome.problems());
        }
        JobDraft draft = outcome.draft().get();
        Optional<BundleRef> gone = bundles.acquire(draft.bundles());
        if (gone.isPresent()) {
            return new SubmitResult.Refused(List.of(new Problem(
                    "bundles",
                    gone.get().sha256() + ", whose cache time ended at this moment",
                    "a bundle that is stored; upload it again")));
        }
        JobId id = newId(draft.slug());
        JobGraph graph = draft.toGraph(id, ++submissions);
        JobRecord job = new JobRecord(graph, clock.wallMillis());
        jobs.put(id, job);
        LOG.info("Job {} submitted: place {}, {} vertices, {} bundles", id, graph.submissionIndex(),
                graph.vertices().size(), graph.bundles().size());
        start(job);
        return new SubmitResult.Submitted(id);
    }

    private JobId newId(String slug) {
        while (true) {
            StringBuilder id = new StringBuilder(slug.isEmpty() ? "job" : slug).append('-');
            for (int i = 0; i < 5; i++) {
                id.append(ID_CHARACTERS.charAt(random.nextInt(ID_CHARACTERS.length())));
            }
            JobId candidate = new JobId(id.toString());
            if (!jobs.containsKey(candidate)) {
                return candidate;
            }
        }
    }

    private void start(JobRecord job) {
        mainThread.assertCurrent();
        if (job.ended() || self.isEmpty()) {
            return;
        }
        int attempt = job.startBegins();
        JobStart start = new JobStart(job.graph(), job.submittedMillis(), self.get());
        CompletionStage<EndpointRef> started =
                find(EndpointName.JOB_MASTERS).thenCompose(endpoint -> rpc.jobMasters(endpoint).startJob(start));
        mainThread.whenComplete(started, (endpoint, failure) -> {
            if (failure == null) {
                started(job, endpoint);
            } else {
                startFailed(job, attempt, cause(failure));
            }
        });
    }

    private void started(JobRecord job, EndpointRef endpoint) {
        JobMasterGateway gateway = rpc.jobMaster(endpoint);
        job.startSucceeds(endpoint, gateway);
        LOG.info("Job {} has its JobMaster {}", job.graph().id(), endpoint);
        job.cancelCause().ifPresent(cause -> passCancel(job, cause));
    }

    private void startFailed(JobRecord job, int attempt, Throwable failure) {
        JobId id = job.graph().id();
        job.startFails();
        if (job.ended()) {
            return;
        }
        if (job.cancelCause().isPresent()) {
            end(job, JobStatus.CANCELED, job.cancelCause().get());
        } else if (failure instanceof RpcException rpcFailure && isPassing(rpcFailure.kind())) {
            long delay = Math.min(LAST_RETRY_MILLIS, FIRST_RETRY_MILLIS << Math.min(attempt, 10));
            String reason = "no JobMaster yet: " + failure.getMessage() + "; trying again";
            job.waits(reason, clock.wallMillis());
            LOG.warn("Job {}: attempt {} to start its JobMaster failed, next in {} ms: {}", id, attempt, delay,
                    failure.getMessage());
            mainThread.schedule(delay, () -> start(job));
        } else {
            LOG.error("Job {}: its JobMaster cannot start", id, failure);
            end(job, JobStatus.FAILED, "its JobMaster cannot start: " + failure.getMessage());
        }
    }

    private static boolean isPassing(RpcException.Kind kind) {
        return switch (kind) {
            case UNREACHABLE, DEADLINE, NOT_FOUND, FENCED -> true;
            case REFUSED, FAILED -> false;
        };
    }

    @Override
    public CompletionStage<CancelResult> cancel(JobId id, String cause) {
        return mainThread.call(() -> {
            JobRecord job = jobs.get(id);
            if (job == null) {
                return CancelResult.UNKNOWN;
            }
            if (job.ended()) {
                return CancelResult.ALREADY_ENDED;
            }
            job.cancel(cause, clock.wallMillis());
            if (job.jobMaster().isPresent()) {
                passCancel(job, cause);
            } else if (!job.starting()) {
                end(job, JobStatus.CANCELED, cause);
            }
            return CancelResult.CANCELING;
        });
    }

    private void passCancel(JobRecord job, String cause) {
        LOG.info("Job {}: cancel asked for: {}", job.graph().id(), cause);
        mainThread.whenComplete(job.jobMaster().orElseThrow().cancel(cause), (ok, failure) -> {
            if (failure != null && !job.ended()) {
                LOG.warn("Job {}: cancel did not reach its JobMaster: {}", job.graph().id(), cause(failure).toString());
                noteMissing(job, cause(failure));
                if (!job.missing() && cause(failure) instanceof RpcException remote && isPassing(remote.kind())) {
                    mainThread.schedule(CANCEL_RETRY_MILLIS, () -> passAgain(job, cause));
                }
            }
        });
    }

    private void passAgain(JobRecord job, String cause) {
        if (!job.ended()) {
            passCancel(job, cause);
        }
    }

    @Override
    public CompletionStage<Acknowledge> jobChanged(JobId id, JobMasterId jobMaster, JobDetails details) {
        return mainThread.call(() -> {
            JobRecord job = jobs.get(id);
            if (job == null) {
                cancelUnknown(id, jobMaster, details);
                return Acknowledge.ACKNOWLEDGE;
            }
            boolean current =
                    job.endpoint().map(e -> e.token().equals(jobMaster.token())).orElse(true);
            if (!current || job.ended()) {
                LOG.debug("Job {}: news of JobMaster {} ignored", id, jobMaster);
                return Acknowledge.ACKNOWLEDGE;
            }
            job.update(details);
            if (details.status().isTerminal()) {
                ended(job);
            }
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    /** A job of an earlier Dispatcher, whose jobs went with it: nobody could see or cancel it. */
    private void cancelUnknown(JobId id, JobMasterId jobMaster, JobDetails details) {
        if (details.status().isTerminal() || details.status() == JobStatus.CANCELING) {
            LOG.debug("Job {}: the end of a job that is not known here", id);
            return;
        }
        LOG.warn("Job {}: JobMaster {} runs it, but it is not known here: canceling it", id, jobMaster);
        EndpointRef endpoint =
                new EndpointRef(address(EndpointName.JOB_MASTERS), EndpointName.jobMaster(id), jobMaster.token());
        rpc.jobMaster(endpoint)
                .cancel("the Dispatcher was started again and does not know the job; submit it again")
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.info("Job {}: cancel did not reach its JobMaster, which will report again: {}", id,
                                cause(failure).toString());
                    }
                });
    }

    private void end(JobRecord job, JobStatus status, String reason) {
        job.end(status, reason, clock.wallMillis());
        ended(job);
    }

    private void ended(JobRecord job) {
        JobDetails details = job.details();
        LOG.info("Job {} ended: {} {}", job.graph().id(), details.status().label(), details.reason());
        bundles.release(job.graph().bundles());
        forgetOldest();
    }

    private void forgetOldest() {
        long ended = jobs.values().stream().filter(JobRecord::ended).count();
        Iterator<JobRecord> oldest = jobs.values().iterator();
        while (ended > settings.jobsKept() && oldest.hasNext()) {
            if (oldest.next().ended()) {
                oldest.remove();
                ended--;
            }
        }
    }

    @Override
    public CompletionStage<List<JobDetails>> jobs() {
        return mainThread
                .call(() -> {
                    List<CompletableFuture<Void>> pulls = new ArrayList<>();
                    jobs.values().forEach(job -> pulls.add(pull(job)));
                    return CompletableFuture.allOf(pulls.toArray(CompletableFuture[]::new));
                })
                .thenCompose(pulled -> pulled)
                .thenCompose(ignored -> mainThread.call(
                        () -> jobs.values().stream().map(JobRecord::details).toList()));
    }

    @Override
    public CompletionStage<Optional<JobDetails>> job(JobId id) {
        return mainThread
                .call(() -> jobs.containsKey(id) ? pull(jobs.get(id)) : CompletableFuture.<Void>completedFuture(null))
                .thenCompose(pulled -> pulled)
                .thenCompose(ignored ->
                        mainThread.call(() -> Optional.ofNullable(jobs.get(id)).map(JobRecord::details)));
    }

    /** Asks the JobMaster of a running job how it is; never fails, and ends in time with what is known. */
    private CompletableFuture<Void> pull(JobRecord job) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (job.ended() || job.jobMaster().isEmpty()) {
            done.complete(null);
            return done;
        }
        Timers.Cancellable timeout =
                timers.schedule(settings.detailsTimeoutMillis(), () -> done.complete(null));
        mainThread.whenComplete(job.jobMaster().get().details(), (details, failure) -> {
            timeout.cancel();
            if (failure == null) {
                job.missing(false);
                // The end of a job comes by jobChanged alone, which the JobMaster repeats until it is told.
                if (!details.status().isTerminal()) {
                    job.update(details);
                }
            } else {
                noteMissing(job, cause(failure));
            }
            done.complete(null);
        });
        return done;
    }

    /** A JobMaster that is not there has ended: its last word may be on the way, or it was lost with its process. */
    private void noteMissing(JobRecord job, Throwable failure) {
        boolean gone = failure instanceof RpcException rpcFailure
                && (rpcFailure.kind() == RpcException.Kind.NOT_FOUND || rpcFailure.kind() == RpcException.Kind.FENCED);
        if (!gone || job.missing() || job.ended()) {
            return;
        }
        job.missing(true);
        mainThread.schedule(MISSING_GRACE_MILLIS, () -> {
            if (job.missing() && !job.ended()) {
                LOG.error("Job {}: its JobMaster is gone: {}", job.graph().id(), failure.getMessage());
                end(job, JobStatus.FAILED, "its JobMaster is gone; submit it again");
            }
        });
    }

    // Bundles

    @Override
    public BundleRef storeBundle(String sha256, InputStream content) throws IOException {
        return bundles.store(sha256, content);
    }

    @Override
    public Optional<BundleRef> bundle(String sha256) {
        return bundles.touch(sha256).map(JobCatalogue.StoredBundle::ref);
    }

    @Override
    public CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
        if (length < 1 || length > MAX_CHUNK || offset < 0) {
            return CompletableFuture.failedFuture(new IllegalArgumentException("bundle " + sha256 + ": " + length
                    + " bytes at " + offset + " are asked for: 1 to " + MAX_CHUNK + " at 0 or more are allowed"));
        }
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return new BundleChunk(bundles.read(sha256, offset, length));
                    } catch (IOException failure) {
                        throw new UncheckedIOException("bundle " + sha256 + " cannot be read", failure);
                    }
                },
                io);
    }

    // Cluster

    @Override
    public CompletionStage<ClusterDetails> cluster() {
        return find(EndpointName.RESOURCE_MANAGER)
                .thenCompose(endpoint -> rpc.resourceManager(endpoint).clusterDetails());
    }

    @Override
    public String masterAddress() {
        return address(EndpointName.RESOURCE_MANAGER).toString();
    }

    /** This process while nobody is known to lead. */
    private RpcAddress address(EndpointName role) {
        return directory.find(role).orElseGet(rpc::address);
    }

    private CompletionStage<EndpointRef> find(EndpointName role) {
        return rpc.resolve(address(role), role);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
