package io.berth.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.code.UserCode;
import io.berth.worker.log.TaskLogs;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.task.Tasks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A TaskExecutor of 4 cores and 4 GiB. Its time, peers, runtime and user code are fakes that the test controls. */
public final class WorkerFixture {

    public static final JobId JOB = new JobId("words");
    public static final ResourceProfile ONE = ResourceProfile.of(1_000, 1L << 30);
    static final RpcAddress MASTER = new RpcAddress("127.0.0.1", 7077);
    static final RpcAddress STANDBY = new RpcAddress("127.0.0.1", 7078);

    final ManualTime time = new ManualTime();
    final FakeRpc rpc = new FakeRpc(new RpcAddress("127.0.0.1", 7001));
    final FakeResourceManager resourceManager = new FakeResourceManager();
    final FakeJobMaster jobMaster = new FakeJobMaster();
    final FakeRuntime runtime = new FakeRuntime();
    final FakeUserCode userCode = new FakeUserCode();
    final FakeAllocationStore disk;
    final Map<String, String> secrets = new TreeMap<>();
    final List<Integer> exits = new ArrayList<>();
    final EndpointRef master = ref(EndpointName.RESOURCE_MANAGER, 1);
    final ResourceManagerId masterId = new ResourceManagerId(master.token());
    final EndpointRef leader = ref(EndpointName.jobMaster(JOB), 1);
    final JobMasterId leaderId = new JobMasterId(leader.token());
    final TaskExecutor worker;
    private long reports;

    WorkerFixture() {
        this(TaskLogs.NONE);
    }

    WorkerFixture(TaskLogs logs) {
        this(1, new FakeAllocationStore(), logs, MASTER);
    }

    WorkerFixture(long session, FakeAllocationStore disk, RpcAddress... masters) {
        this(session, disk, TaskLogs.NONE, masters);
    }

    /**
     * @param session the number of the session of the process
     * @param disk keeps the allocations, also those of a previous process
     */
    WorkerFixture(long session, FakeAllocationStore disk, TaskLogs logs, RpcAddress... masters) {
        this.disk = disk;
        MainThread mainThread = new MainThread("worker w-1", Runnable::run, time, failure -> {
            throw new AssertionError(failure);
        });
        WorkerSettings settings = new WorkerSettings(
                new WorkerId("w-1"),
                List.of(masters),
                "127.0.0.1",
                Optional.empty(),
                ResourceProfile.of(4_000, 4L << 30),
                4,
                "standalone",
                "",
                WorkerLabels.NONE,
                1.5,
                Path.of("unused"),
                60_000,
                10_000,
                10_000,
                30_000,
                180_000,
                RegistrationSettings.DEFAULTS);
        rpc.connect(master, resourceManager);
        rpc.connect(leader, jobMaster);
        rpc.publish(leader);
        Tasks.Runtimes runtimes = new Tasks.Runtimes() {
            @Override
            public Optional<TaskRuntime> named(String name) {
                return Optional.<TaskRuntime>of(runtime)
                        .filter(present -> present.name().equals(name));
            }

            @Override
            public List<String> names() {
                return List.of(runtime.name());
            }
        };
        worker = new TaskExecutor(
                settings,
                ref(EndpointName.worker(settings.worker()), session),
                runtime,
                mainThread,
                new TaskExecutorNode.Environment(
                        time,
                        time,
                        Runnable::run,
                        Runnable::run,
                        disk,
                        rpc,
                        runtimes,
                        thread -> userCode,
                        name -> Optional.ofNullable(secrets.get(name)),
                        disk,
                        exits::add,
                        logs));
    }

    /** Starts the worker with a ResourceManager that accepts it. */
    WorkerFixture registered() {
        rpc.publish(master);
        worker.start();
        assertThat(resourceManager.registrations).hasSize(1);
        report();
        return this;
    }

    public static EndpointRef ref(EndpointName name, long epoch) {
        return new EndpointRef(
                MASTER,
                name,
                new FencingToken(epoch, new UUID(epoch, name.value().hashCode())));
    }

    public static AllocationId slot(long number) {
        return new AllocationId(1, number);
    }

    public static AttemptId attempt(int subtask) {
        return new AttemptId(JOB, "source", subtask, 1, 1);
    }

    static <T> T now(CompletionStage<T> stage) {
        assertThat(stage.toCompletableFuture()).isCompleted();
        return stage.toCompletableFuture().join();
    }

    static <T> void fails(CompletionStage<T> stage, String message) {
        assertThat(stage.toCompletableFuture()).isCompletedExceptionally();
        assertThat(stage.toCompletableFuture()
                        .handle((value, failure) -> failure.getMessage())
                        .join())
                .contains(message);
    }

    SlotRequest request(long number) {
        return request(number, ONE, leader);
    }

    static SlotRequest request(long number, ResourceProfile profile, EndpointRef jobMaster) {
        return new SlotRequest(slot(number), JOB, jobMaster, "all", "default", profile, 5);
    }

    /** Returns the refusal of each request, which is empty if the request was granted. */
    List<String> allocate(SlotRequest... requests) {
        return now(worker.requestSlots(new SlotRequests(masterId, List.of(requests)))).answers().stream()
                .map(answer -> answer.refusal())
                .toList();
    }

    void free(long slot, String cause) {
        now(worker.freeSlots(new SlotsToFree(JOB, leaderId, List.of(slot(slot)), cause)));
    }

    String deploy(int subtask, long slot) {
        return deploy(leaderId, subtask, slot, "dataflow");
    }

    String deploy(JobMasterId from, int subtask, long slot, String runtimeName) {
        return answerTo(from, subtask, slot, runtimeName).refusal();
    }

    DeploymentAnswer answerTo(JobMasterId from, int subtask, long slot, String runtimeName) {
        TaskDeployment task = new TaskDeployment(
                attempt(subtask),
                "words",
                leader,
                ref(EndpointName.DISPATCHER, 1),
                slot(slot),
                runtimeName,
                1,
                128,
                List.of(new BundleRef("ab".repeat(32), 10)),
                List.of(),
                List.of(),
                List.of());
        List<DeploymentAnswer> answers =
                now(worker.deployTasks(new Deployments(from, List.of(task)))).answers();
        assertThat(answers).hasSize(1);
        return answers.get(0);
    }

    /** The ResourceManager notifies the worker of the JobMaster that leads the job, or that it has lost this one. */
    void jobMasterChanged(EndpointRef about, boolean lost) {
        now(worker.jobMasterChanged(new JobMasterChange(masterId, JOB, about, lost, "no heartbeat")));
    }

    /** The JobMaster ends a registration of the worker. */
    void disconnectJobMaster(long registration) {
        now(worker.disconnectJobMaster(JOB, leaderId, new InstanceId(registration), false, "no heartbeat"));
    }

    SlotReport report() {
        return now(worker.heartbeatFromResourceManager(masterId));
    }

    TaskReport jobHeartbeat(long... slots) {
        List<AllocationId> listed =
                java.util.Arrays.stream(slots).mapToObj(WorkerFixture::slot).toList();
        return jobHeartbeat(++reports, listed);
    }

    TaskReport jobHeartbeat(long number, List<AllocationId> listed) {
        return now(worker.heartbeatFromJobMaster(new AllocatedSlots(JOB, leaderId, number, listed, Optional.empty())));
    }

    /** Whether a commit was in time that the JobMaster requests after the answer to its heartbeat of that number. */
    boolean commit(long heartbeat, List<Committable> committables) {
        return commit(jobMaster.instance, heartbeat, committables);
    }

    boolean commit(long registration, long heartbeat, List<Committable> committables) {
        return now(worker.commitTask(
                        new Commit(leaderId, attempt(0), committables, new InstanceId(registration), heartbeat)))
                .inTime();
    }

    /** The number of the last heartbeat of the JobMaster. */
    long lastHeartbeat() {
        return reports;
    }

    /** Lets time pass while the ResourceManager sends heartbeats. If slots are given, the JobMaster sends them too. */
    void passTime(long millis, long... slots) {
        for (long rest = millis; rest > 0; rest -= 1_000) {
            time.advance(Math.min(1_000, rest));
            report();
            if (slots.length > 0) {
                jobHeartbeat(slots);
            }
        }
    }

    /** Provides user code at once, unless the test sets another {@code code}. */
    static final class FakeUserCode implements UserCode {

        final List<JobId> released = new ArrayList<>();
        CompletableFuture<JobCode> code = CompletableFuture.completedFuture(new JobCode() {
            @Override
            public Optional<Object> operator(String name) {
                return Optional.empty();
            }

            @Override
            public ClassLoader classLoader(String operator) {
                return WorkerFixture.class.getClassLoader();
            }

            @Override
            public void close() {}
        });

        @Override
        public CompletionStage<JobCode> acquire(JobId job, EndpointRef dispatcher, List<BundleRef> bundles) {
            return code;
        }

        @Override
        public void release(JobId job) {
            released.add(job);
        }
    }
}
