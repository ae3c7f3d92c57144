package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.DispatcherId;
import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.dispatcher.bundle.BlobServer;
import io.berth.core.dispatcher.bundle.BundleFiles;
import io.berth.core.dispatcher.bundle.TestBundles;
import io.berth.core.dispatcher.description.DescriptionParser;
import io.berth.core.dispatcher.description.DescriptionParserTest;
import io.berth.core.dispatcher.description.InstalledPolicies;
import io.berth.core.dispatcher.description.ReactiveOnly;
import io.berth.core.dispatcher.state.DispatcherParts;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.LiveJob;
import io.berth.core.dispatcher.store.MemoryStore;
import io.berth.core.dispatcher.store.PreviousRuns;
import io.berth.spi.JobId;
import io.berth.spi.ha.MetadataStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A Dispatcher that may die and restart. The store, the directory of bundles and the cluster survive it. */
public final class TestControlPlane {

    public static final String JOB =
            "{name: short, vertices: [{name: a, operator: file-source, parallelism: {min: 1, max: 2},"
                    + " configuration: {path: /t}}]}";

    final MemoryStore store = new MemoryStore();
    final FakeCluster cluster = new FakeCluster();
    final ManualTime timers = new ManualTime();
    private final Random random = new Random(1);
    private final Path directory;
    /** The calls that the Dispatcher makes. */
    final FaultyCalls calls = new FaultyCalls();
    /** Receives what the main thread of the Dispatcher threw. */
    Consumer<Throwable> failed = failure -> {
        // A process that dies reports nothing.
        if (!(failure instanceof MemoryStore.Crash)) {
            throw new AssertionError(failure);
        }
    };

    DispatcherSettings settings = new DispatcherSettings(100, true, 2_000);
    Executor pool = Runnable::run;
    Executor io = Runnable::run;
    DispatcherTerm term;
    long epoch;
    long wall = 1000;

    TestControlPlane(Path directory) {
        this.directory = directory;
    }

    /** Begins a term in a new process. */
    void start() throws IOException {
        Timers calledTimers = calls.counted(Timers.class, timers);
        BlobServer bundles =
                new BlobServer(calls.counted(BundleFiles.class, TestBundles.files(directory)), calledTimers);
        bundles.setLimits(100_000, 60_000, 600_000);
        Clock clock = new Clock() {
            @Override
            public long nanos() {
                return timers.nanos();
            }

            @Override
            public long wallMillis() {
                return wall;
            }
        };
        term = new DispatcherTerm(
                new DispatcherId(new FencingToken(++epoch, new UUID(0, epoch))),
                new DispatcherParts.Environment(
                        calls.counted(Clock.class, clock),
                        calledTimers,
                        pool,
                        io,
                        calls.counted(RandomGenerator.class, random),
                        calls.counted(RpcService.class, cluster),
                        calls.counted(RoleDirectory.class, cluster),
                        calls.counted(MetadataStore.class, store),
                        bundles,
                        calls.counted(InstalledPolicies.class, ReactiveOnly.INSTANCE)),
                settings,
                failure -> failed.accept(failure));
        term.start();
    }

    /** The process of the Dispatcher dies, and another one starts. */
    void restart() throws IOException {
        term.close();
        store.restart();
        start();
    }

    /** All roles run in one process, which dies; another one starts. */
    void restartAll() throws IOException {
        term.close();
        cluster.lead();
        restart();
    }

    DispatcherGateway gateway() {
        return cluster.dispatcher.orElseThrow();
    }

    static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    JobId submit(String description) {
        SubmitResult result = now(term.jobs().submit(description));
        assertThat(result).isInstanceOf(SubmitResult.Submitted.class);
        return ((SubmitResult.Submitted) result).job();
    }

    /** Why a description is refused. */
    List<Problem> refusal(String description) {
        SubmitResult result = now(term.jobs().submit(description));
        assertThat(result).isInstanceOf(SubmitResult.Refused.class);
        return ((SubmitResult.Refused) result).problems();
    }

    JobDetails job(JobId id) {
        return now(term.jobs().job(id)).orElseThrow();
    }

    List<JobDetails> jobs() {
        return now(term.jobs().jobs());
    }

    /** The details that a JobMaster of the job reports. */
    JobDetails details(JobId id, JobStatus status) {
        LiveJob job = new LiveJob(
                DescriptionParser.parse(JOB, DescriptionParserTest.CATALOG)
                        .draft()
                        .orElseThrow()
                        .toGraph(id, 1),
                1,
                1000,
                Optional.empty(),
                PreviousRuns.NONE,
                Optional.empty());
        JobRecord record = new JobRecord(job, false);
        JobDetails d = record.ended(status, "because", 5);
        boolean waits = status == JobStatus.CREATED || status == JobStatus.WAITING_FOR_RESOURCES;
        return d.toBuilder()
                .status(status)
                .startedMillis(status == JobStatus.EXECUTING || status == JobStatus.FINISHED ? 2_000 : 0)
                .endedMillis(status.isTerminal() ? 5 : 0)
                .restarts(0)
                .rescales(0)
                .runMillis(0)
                .waiting(waits ? record.details().waiting() : Waiting.NOT)
                .build();
    }

    /** The JobMaster of the job reports, and the report is acknowledged. */
    void report(JobId id, JobStatus status) {
        cluster.details.put(id.value(), details(id, status));
        now(gateway().jobChanged(id, cluster.jobMasterId(id), details(id, status)));
        if (status.isTerminal()) {
            cluster.lose(id);
        }
    }
}
