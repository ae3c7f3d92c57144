package io.berth.core.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcService.Served;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

/** JobMasters on manual time with a direct executor, and fakes around them: everything happens within the calls. */
final class Harness {

    final ManualTime time = new ManualTime();
    final FakeRpc rpc = new FakeRpc();
    final FakeResourceManager resourceManager = new FakeResourceManager();
    final FakeDispatcher dispatcher = new FakeDispatcher();
    final FakePolicies policies = new FakePolicies();
    final FakeDirectory directory;
    final JobMasters jobMasters;
    final List<FakeWorker> workers = new ArrayList<>();
    FencingToken resourceManagerToken = new FencingToken(1, new UUID(0, 1));
    private long ids;
    private Served servedResourceManager;
    private final Served servedDispatcher;
    private JobGraph job;

    Harness() {
        this(SchedulerConfiguration.DEFAULTS);
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
                        () -> configuration));
        servedResourceManager = rpc.serve(EndpointName.RESOURCE_MANAGER, resourceManagerToken, resourceManager);
        servedDispatcher =
                rpc.serve(EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 2)), dispatcher);
    }

    static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isDone();
        return stage.toCompletableFuture().join();
    }

    EndpointRef start(JobGraph graph) {
        job = graph;
        return now(jobMasters.startJob(new JobStart(graph, 5, servedDispatcher.endpoint())));
    }

    JobMasterGateway jobMaster() {
        return (JobMasterGateway) rpc.served.get(EndpointName.jobMaster(job.id()));
    }

    FakeWorker worker(String name) {
        return worker(name, 1);
    }

    FakeWorker worker(String name, long session) {
        FakeWorker worker = new FakeWorker(rpc, jobMaster(), name, session);
        worker.register();
        workers.add(worker);
        return worker;
    }

    /** A ResourceManager with another token takes over. */
    void restartResourceManager() {
        stopResourceManager();
        resourceManagerToken =
                new FencingToken(resourceManagerToken.epoch() + 1, resourceManagerToken.id());
        serveResourceManager(resourceManagerToken);
    }

    void stopResourceManager() {
        servedResourceManager.close();
    }

    void serveResourceManager(FencingToken token) {
        servedResourceManager = rpc.serve(EndpointName.RESOURCE_MANAGER, token, resourceManager);
    }

    ResourceManagerId resourceManagerId() {
        return new ResourceManagerId(resourceManagerToken);
    }

    /** The ResourceManager has given a worker up. */
    void giveUp(FakeWorker worker, String cause) {
        now(jobMaster().disconnectWorker(resourceManagerId(), worker.id, worker.session, cause));
    }

    JobDetails details() {
        return now(jobMaster().details());
    }

    JobStatus status() {
        return details().status();
    }

    /** The last that the Dispatcher was told. */
    JobDetails told() {
        return dispatcher.told.get(dispatcher.told.size() - 1);
    }

    /** All tasks at all workers, with where they are. */
    SortedMap<AttemptId, FakeWorker> tasks() {
        SortedMap<AttemptId, FakeWorker> tasks = new TreeMap<>();
        for (FakeWorker worker : workers) {
            worker.tasks.keySet().forEach(attempt -> tasks.put(attempt, worker));
        }
        return tasks;
    }

    AttemptId attempt(String chain, int subtask, long execution) {
        return new AttemptId(job.id(), chain, subtask, execution);
    }

    /** All tasks end well. */
    void finishAll() {
        tasks().forEach((attempt, worker) -> worker.update(attempt, TaskState.FINISHED));
    }
}
