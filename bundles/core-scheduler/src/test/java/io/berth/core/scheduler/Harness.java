package io.berth.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** JobMasters with manual time, a direct executor and fake peers: each call completes before it returns. */
public final class Harness {

    public final ManualTime time = new ManualTime();
    final FakeRpc rpc = new FakeRpc();
    public final FakeResourceManager resourceManager = new FakeResourceManager();
    public final FakeDispatcher dispatcher = new FakeDispatcher();
    final FakePolicies policies = new FakePolicies();
    public final FakeDirectory directory;
    final JobMasters jobMasters;
    final List<FakeWorker> workers = new ArrayList<>();
    private long epoch;
    public FencingToken resourceManagerToken = new FencingToken(1, new UUID(0, 1));
    /** Failures that concern more than one job. */
    final List<Throwable> failures = new ArrayList<>();

    private long ids;
    private Served servedResourceManager;
    private final Served servedDispatcher;
    private JobGraph job;

    public Harness() {
        this(Configurations.EXACT);
    }

    Harness(SchedulerConfiguration configuration) {
        directory = new FakeDirectory(rpc.address());
        jobMasters = new JobMasters(
                new FencingToken(1, new UUID(0, 9)),
                new JobMastersTerm.Environment(
                        time,
                        time,
                        Runnable::run,
                        rpc,
                        policies,
                        directory,
                        () -> new UUID(1, ++ids),
                        () -> configuration),
                failures::add);
        servedResourceManager = rpc.serve(EndpointName.RESOURCE_MANAGER, resourceManagerToken, resourceManager);
        servedDispatcher = rpc.serve(EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 2)), dispatcher);
    }

    public static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    public EndpointRef start(JobGraph graph) {
        job = graph;
        EndpointRef started = now(jobMasters.startJob(new JobStart(graph, 5, servedDispatcher.endpoint())));
        epoch = started.token().epoch();
        return started;
    }

    public JobMasterGateway jobMaster() {
        return (JobMasterGateway) rpc.served.get(EndpointName.jobMaster(job.id()));
    }

    public FakeWorker worker(String name) {
        return worker(name, 1);
    }

    FakeWorker worker(String name, long session) {
        FakeWorker worker = new FakeWorker(rpc, jobMaster(), name, session);
        worker.register();
        workers.add(worker);
        return worker;
    }

    /** A ResourceManager with another token takes over. */
    public void restartResourceManager() {
        stopResourceManager();
        resourceManagerToken = new FencingToken(resourceManagerToken.epoch() + 1, resourceManagerToken.id());
        serveResourceManager(resourceManagerToken);
    }

    public void stopResourceManager() {
        servedResourceManager.close();
    }

    public void serveResourceManager(FencingToken token) {
        servedResourceManager = rpc.serve(EndpointName.RESOURCE_MANAGER, token, resourceManager);
    }

    public ResourceManagerId resourceManagerId() {
        return new ResourceManagerId(resourceManagerToken);
    }

    /** The ResourceManager gives up a worker. */
    void giveUp(FakeWorker worker, String cause) {
        now(jobMaster().disconnectWorker(resourceManagerId(), worker.id, worker.session, cause));
    }

    public JobDetails details() {
        return now(jobMaster().details());
    }

    JobStatus status() {
        return details().status();
    }

    /** The last report that the Dispatcher received. */
    public JobDetails lastReport() {
        return dispatcher.lastReport();
    }

    /** All tasks, each with its worker. */
    SortedMap<AttemptId, FakeWorker> tasks() {
        SortedMap<AttemptId, FakeWorker> tasks = new TreeMap<>();
        for (FakeWorker worker : workers) {
            worker.tasks.keySet().forEach(attempt -> tasks.put(attempt, worker));
        }
        return tasks;
    }

    AttemptId attempt(String chain, int subtask, long execution) {
        return new AttemptId(job.id(), chain, subtask, epoch, execution);
    }

    /** Finishes all tasks. */
    public void finishAll() {
        tasks().forEach((attempt, worker) -> worker.update(attempt, TaskState.FINISHED));
    }
}
