package io.berth.core.dispatcher;

import io.berth.core.api.BundleRef;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.MainThread;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser;
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
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes jobs, gives each its place in the order of submission, keeps what must survive, has JobMasters started and
 * remembers how jobs ended (FLIP-6, "Dispatcher"). Never runs user code and never waits for workers. State belongs to
 * the main thread; descriptions, bundles and the store are read and written on {@code io}. All methods may be called on
 * any thread and none blocks, but {@link #storeBundle} and {@link #bundle}.
 */
final class Dispatcher implements DispatcherGateway, JobOperations, ClusterOperations {

    static final int MAX_CHUNK = 1 << 20;

    private static final long BEGIN_MILLIS = 5_000;

    private final long epoch;
    private final DispatcherParts.Environment environment;
    private final DispatcherParts parts;
    private final JobCatalog catalog;
    private final JobTermination ends;
    private final JobPlacement placement;
    private final JobMasterWatch watch;
    private final JobStatusReports news;
    private final JobAdmission admission;
    private final Recovery recovery;
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
        ends = new JobTermination(parts);
        placement = new JobPlacement(parts, ends);
        watch = new JobMasterWatch(parts, placement);
        news = new JobStatusReports(parts, placement, watch, ends);
        admission = new JobAdmission(parts, placement, epoch);
        recovery = new Recovery(parts, epoch, this::recovered);
        catalog = new JobCatalog() {
            @Override
            public Optional<StoredBundle> bundle(String sha256) {
                return environment.bundles().find(sha256);
            }

            @Override
            public List<String> policies(PolicyKind kind) {
                return environment.policies().apply(kind);
            }
        };
    }

    /**
     * Begins.
     *
     * @param endpoint where this is served, which JobMasters and workers are told
     */
    void begin(EndpointRef endpoint) {
        parts.mainThread().execute(() -> {
            self = Optional.of(endpoint);
            recovery.begin();
        });
    }

    private void recovered(List<JobRecord> live) {
        ends.forgetOldest();
        live.forEach(placement::place);
        watch.begin();
    }

    /** The role job-masters may be led by another process. Any thread. */
    void leaderMayHaveChanged() {
        parts.mainThread().execute(placement::leaderMayHaveChanged);
    }

    void settings(DispatcherSettings newer) {
        settings = newer;
        parts.mainThread().execute(ends::forgetOldest);
    }

    /** Answers what waits for the beginning, and fails what else is not answered. Any thread. */
    void close() {
        recovery.close();
        outstanding.close();
        environment.bundles().end(epoch);
    }

    // Jobs

    @Override
    public CompletionStage<SubmitResult> submit(String description, Optional<String> key) {
        return outstanding.until(recovery.whenReady(() -> admission.once(key, () -> submitOnce(description, key))));
    }

    private CompletionStage<SubmitResult> submitOnce(String description, Optional<String> key) {
        return CompletableFuture.supplyAsync(() -> DescriptionParser.parse(description, catalog), environment.io())
                .thenCompose(outcome -> recovery.whenReady(() -> admission.admit(outcome, key)));
    }

    @Override
    public CompletionStage<CancelResult> cancel(JobId id, String cause) {
        return outstanding.until(recovery.whenReady(() -> cancelKnown(id, cause)));
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
                            "job " + id + " is being canceled, but that"
                                    + " cannot be kept (" + Failures.text(failure)
                                    + "): if the control plane ends"
                                    + " before the job does, it runs again",
                            failure));
        });
    }

    @Override
    public CompletionStage<Acknowledge> jobChanged(JobId id, JobMasterId jobMaster, JobDetails details) {
        return outstanding.until(recovery.whenReady(() -> news.changed(id, jobMaster, details)));
    }

    @Override
    public CompletionStage<List<JobDetails>> jobs() {
        return outstanding.until(
                recovery.whenReady(() -> DispatcherParts.done(parts.table().details())));
    }

    @Override
    public CompletionStage<Optional<JobDetails>> job(JobId id) {
        return outstanding.until(recovery.<Void>whenReady(() -> parts.table()
                        .live(id)
                        .map(watch::pull)
                        .orElseGet(() -> CompletableFuture.completedFuture(null)))
                .thenCompose(
                        pulled -> parts.mainThread().call(() -> parts.table().details(id))));
    }

    // Bundles

    @Override
    public BundleRef storeBundle(String sha256, InputStream content) throws IOException {
        awaitBegin();
        return environment.bundles().store(sha256, content);
    }

    /** Bundles are taken over with the jobs. */
    private void awaitBegin() {
        try {
            recovery.ready().get(BEGIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException failure) {
            throw new IllegalStateException("no bundle is taken: the Dispatcher still reads its job store; try again");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the Dispatcher read its job store", interrupted);
        }
    }

    /** Blocks when the bundle was not used since the process was started: it is verified first. */
    @Override
    public Optional<BundleRef> bundle(String sha256) {
        return environment.bundles().touch(sha256).map(StoredBundle::ref);
    }

    @Override
    public CompletionStage<BundleChunk> readBundle(String sha256, long offset, int length) {
        if (length < 1 || length > MAX_CHUNK || offset < 0) {
            return DispatcherParts.failed(new IllegalArgumentException("bundle " + sha256 + ": " + length + " bytes at "
                    + offset + " are asked for: 1 to " + MAX_CHUNK + " at 0 or more are allowed"));
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

    /** This process while nobody is known to lead. */
    private RpcAddress resourceManager() {
        return environment.directory().find(EndpointName.RESOURCE_MANAGER).orElseGet(environment.rpc()::address);
    }
}
