package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.User;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.MainThread;
import io.berth.core.dispatcher.access.AccessTokens;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.description.JobCatalog;
import io.berth.core.dispatcher.placement.JobMasterWatch;
import io.berth.core.dispatcher.placement.JobPlacement;
import io.berth.core.dispatcher.placement.JobStatusReports;
import io.berth.core.dispatcher.placement.JobTermination;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.state.JobTable;
import io.berth.core.dispatcher.store.JobStore;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.SubmissionOrder;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Accepts jobs in the order of submission, stores what must survive a restart, has JobMasters started, and keeps how
 * jobs ended (FLIP-6, "Dispatcher"). It never runs user code and never waits for workers. Its state is confined to the
 * main thread; descriptions, bundles and the store are read and written on {@code io}. Any thread may call the
 * methods. Only {@link #storeBundle} and {@link #bundle} block.
 */
final class Dispatcher implements DispatcherGateway, JobOperations, ClusterOperations {

    static final int MAX_CHUNK = 1 << 20;

    private static final long BEGIN_MILLIS = 5_000;

    private final long epoch;
    private final DispatcherParts.Environment environment;
    private final DispatcherParts parts;
    private final JobCatalog catalog;
    private final JobTermination termination;
    private final JobPlacement placement;
    private final JobMasterWatch watch;
    private final JobStatusReports statusReports;
    private final JobAdmission admission;
    private final RequirementChanges requirements;
    private final Recovery recovery;
    private final AccessTokens tokens;
    private final Outstanding outstanding = new Outstanding();
    private volatile DispatcherSettings settings;
    private Optional<EndpointRef> self = Optional.empty();

    Dispatcher(
            long epoch,
            MainThread mainThread,
            MainThread storeThread,
            DispatcherParts.Environment environment,
            DispatcherSettings settings) {
        this.epoch = epoch;
        this.environment = environment;
        this.settings = settings;
        parts = new DispatcherParts(
                environment,
                mainThread,
                storeThread,
                new JobStore(environment.store(), epoch),
                new JobTable(),
                () -> this.settings,
                () -> self.orElseThrow());
        termination = new JobTermination(parts);
        placement = new JobPlacement(parts, termination);
        watch = new JobMasterWatch(parts, placement);
        statusReports = new JobStatusReports(parts, placement, watch, termination);
        admission = new JobAdmission(parts, placement, epoch);
        requirements = new RequirementChanges(parts, placement);
        recovery = new Recovery(parts, epoch, this::recovered);
        tokens = new AccessTokens(parts);
        catalog = new JobCatalog() {
            @Override
            public Optional<StoredBundle> bundle(String sha256) {
                return environment.bundles().find(sha256);
            }

            @Override
            public InstalledPolicies policies() {
                return environment.policies();
            }

            @Override
            public List<String> runtimes() {
                return Stream.concat(BUILT_IN_RUNTIMES.stream(), Dispatcher.this.settings.taskRuntimes().stream())
                        .distinct()
                        .toList();
            }

            @Override
            public int tasksMax() {
                return Dispatcher.this.settings.tasksMax();
            }
        };
    }

    /**
     * Begins to read the job store.
     *
     * @param endpoint where this Dispatcher is served; JobMasters and workers receive it
     */
    void begin(EndpointRef endpoint) {
        parts.mainThread().execute(() -> {
            self = Optional.of(endpoint);
            recovery.begin();
        });
    }

    private void recovered(List<JobRecord> live) {
        termination.forgetOldest();
        live.forEach(placement::place);
        watch.begin();
    }

    /** Another process may now lead the role job-masters. Thread-safe. */
    void leaderMayHaveChanged() {
        parts.mainThread().execute(placement::leaderMayHaveChanged);
    }

    void settings(DispatcherSettings newer) {
        settings = newer;
        parts.mainThread().execute(termination::forgetOldest);
    }

    /** Fails all calls that have no answer yet. Thread-safe. */
    void close() {
        recovery.close();
        tokens.close();
        outstanding.close();
        environment.bundles().end(epoch);
    }

    // Jobs

    @Override
    public CompletionStage<SubmitResult> submit(String description, Optional<String> key, Optional<User> user) {
        return outstanding.track(recovery.whenReady(
                () -> admission.deduplicate(key, user, unique -> submitOnce(description, unique, user))));
    }

    private CompletionStage<SubmitResult> submitOnce(String description, Optional<String> key, Optional<User> user) {
        return CompletableFuture.supplyAsync(
                        () -> DescriptionParser.parse(description, catalog, user), environment.io())
                .thenCompose(outcome -> recovery.whenReady(() -> admission.admit(outcome, key)));
    }

    @Override
    public CompletionStage<CancelResult> cancel(JobId id, String cause) {
        return outstanding.track(recovery.whenReady(() -> cancelKnown(id, cause)));
    }

    private CompletionStage<CancelResult> cancelKnown(JobId id, String cause) {
        Optional<JobRecord> live = parts.table().live(id);
        if (live.isEmpty()) {
            return DispatcherParts.done(
                    parts.table().ended(id).isPresent() ? CancelResult.ALREADY_ENDED : CancelResult.UNKNOWN);
        }
        JobRecord job = live.get();
        CompletionStage<Optional<LiveJob>> kept =
                parts.stored(() -> parts.store().cancel(id, cause));
        return parts.then(kept, (stored, failure) -> {
            if (failure instanceof SubmissionOrder.SupersededException) {
                return DispatcherParts.failed(failure);
            }
            if (parts.table().live(id).isEmpty()) {
                return DispatcherParts.done(CancelResult.ALREADY_ENDED);
            }
            job.cancel(cause, parts.wallMillis());
            placement.canceled(job);
            return failure == null
                    ? DispatcherParts.done(CancelResult.CANCELING)
                    : DispatcherParts.failed(new IllegalStateException(
                            "job " + id + " is being canceled, but the"
                                    + " cancel cannot be stored (" + Failures.text(failure)
                                    + "): if the control plane ends"
                                    + " before the job does, it runs again",
                            failure));
        });
    }

    @Override
    public CompletionStage<Optional<ParallelismBounds>> requirements(JobId job) {
        return outstanding.track(recovery.whenReady(() -> DispatcherParts.done(requirements.of(job))));
    }

    @Override
    public CompletionStage<RequirementsResult> changeRequirements(
            JobId job, OptionalLong basis, List<VertexBounds> vertices) {
        return outstanding.track(recovery.whenReady(() -> requirements.change(job, basis, vertices)));
    }

    @Override
    public CompletionStage<Acknowledge> jobChanged(JobId id, JobMasterId jobMaster, JobDetails details) {
        return outstanding.track(recovery.whenReady(() -> statusReports.changed(id, jobMaster, details)));
    }

    @Override
    public CompletionStage<List<JobDetails>> jobs() {
        return outstanding.track(
                recovery.whenReady(() -> DispatcherParts.done(parts.table().details())));
    }

    @Override
    public CompletionStage<Optional<JobDetails>> job(JobId id) {
        return outstanding.track(recovery.<Void>whenReady(() -> parts.table()
                        .live(id)
                        .map(watch::pull)
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenCompose(
                        pulled -> parts.mainThread().call(() -> parts.table().details(id))));
    }

    @Override
    public boolean isReady() {
        return recovery.isReady();
    }

    /** Thread-safe. */
    TokenOperations tokens() {
        return tokens;
    }

    // Bundles

    @Override
    public BundleRef storeBundle(String sha256, InputStream content) throws IOException {
        awaitBegin();
        return environment.bundles().store(sha256, content);
    }

    /** The Dispatcher takes over bundles together with jobs, so no bundle can be stored before that. */
    private void awaitBegin() {
        try {
            recovery.ready().get(BEGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            throw new IllegalStateException(
                    "bundles cannot be stored yet: the Dispatcher is still reading its job store; try again");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the Dispatcher was reading its job store", interrupted);
        }
    }

    /** Blocks on the first use of a bundle since the start of the process, because the bundle is verified then. */
    @Override
    public Optional<BundleRef> bundle(String sha256) {
        return environment.bundles().touch(sha256).map(StoredBundle::ref);
    }

    @Override
    public CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
        if (length < 1 || length > MAX_CHUNK || offset < 0) {
            return DispatcherParts.failed(new IllegalArgumentException("bundle " + sha256 + ": " + length + " bytes at "
                    + offset + " were requested: 1 to " + MAX_CHUNK + " at 0 or more are allowed"));
        }
        return recovery.ready()
                .thenApplyAsync(
                        ready -> {
                            try {
                                return new BundleChunk(environment.bundles().read(sha256, offset, length));
                            } catch (IOException failure) {
                                throw new UncheckedIOException("bundle " + sha256 + " cannot be read", failure);
                            }
                        },
                        environment.io());
    }

    // Cluster

    @Override
    public CompletionStage<ClusterDetails> cluster(ClusterQuery query) {
        return resourceManagerGateway().thenCompose(gateway -> gateway.clusterDetails(query));
    }

    @Override
    public CompletionStage<BlockResult> block(String worker, String duration, String reason) {
        return BlockRequests.block(worker, duration, reason, this::resourceManagerGateway);
    }

    @Override
    public CompletionStage<BlockResult> unblock(String worker) {
        return BlockRequests.unblock(worker, this::resourceManagerGateway);
    }

    @Override
    public CompletionStage<LabelResult> relabel(String worker, LabelChange change) {
        return LabelRequests.relabel(worker, change, this::resourceManagerGateway);
    }

    @Override
    public CompletionStage<DrainResult> drain(String worker, Optional<String> deadline, String reason) {
        return DrainRequests.drain(worker, deadline, reason, this::resourceManagerGateway);
    }

    @Override
    public CompletionStage<DrainResult> undrain(String worker) {
        return DrainRequests.undrain(worker, this::resourceManagerGateway);
    }

    @Override
    public CompletionStage<LogList> taskLogs(LogFilter filter) {
        return resourceManagerGateway().thenCompose(gateway -> gateway.listLogs(filter));
    }

    @Override
    public CompletionStage<Optional<LogPart>> readLog(WorkerId worker, LogRequest request) {
        return resourceManagerGateway()
                .thenCompose(gateway -> gateway.readLog(worker, request))
                .thenApply(part -> part.found() ? Optional.of(part) : Optional.empty());
    }

    private CompletionStage<ResourceManagerGateway> resourceManagerGateway() {
        return environment
                .rpc()
                .resolve(resourceManager(), EndpointName.RESOURCE_MANAGER)
                .thenApply(endpoint -> environment.rpc().resourceManager(endpoint));
    }

    @Override
    public String masterAddress() {
        return resourceManager().toString();
    }

    /** The leader's address, or that of this process when no leader is known. */
    private RpcAddress resourceManager() {
        return environment.directory().find(EndpointName.RESOURCE_MANAGER).orElseGet(environment.rpc()::address);
    }
}
