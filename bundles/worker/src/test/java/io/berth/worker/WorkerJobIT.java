package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
import static io.berth.worker.WorkerFixture.attempt;
import static io.berth.worker.WorkerFixture.slot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.BundleRef;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskState;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
import io.berth.core.security.ClusterSecurity;
import io.berth.spi.ResourceProfile;
import io.berth.worker.code.FakeDispatcher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker process from the archive runs a job whose operators are in a bundle. The test is the control plane. */
class WorkerJobIT {

    @TempDir
    private Path folder;

    private final RunningRpc rpc = RpcServices.start(RpcConfig.defaults("test"), ClusterSecurity.NONE);
    private final FakeResourceManager resourceManager = new FakeResourceManager();
    private final FakeJobMaster jobMaster = new FakeJobMaster();
    private final FakeDispatcher dispatcher = new FakeDispatcher();
    private final FencingToken token = new FencingToken(1, UUID.randomUUID());
    private Process process;

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
        rpc.close();
    }

    @Test
    void runsOperatorsOfABundleAndUninstallsItWhenTheJobHasEnded() throws Exception {
        CompletionStage<RegistrationResponse> patient =
                CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 60_000, 600_000));
        resourceManager.answer = patient;
        jobMaster.answer = patient;
        Served master = rpc.serve(
                EndpointName.RESOURCE_MANAGER, token, PartialGateway.of(ResourceManagerGateway.class, resourceManager));
        Served leader =
                rpc.serve(EndpointName.jobMaster(JOB), token, PartialGateway.of(JobMasterGateway.class, jobMaster));
        Served keeper =
                rpc.serve(EndpointName.DISPATCHER, token, PartialGateway.of(DispatcherGateway.class, dispatcher));
        BundleRef bundle = dispatcher.add(Files.readAllBytes(Path.of(System.getProperty("berth.example.bundle"))));
        Path text = Files.writeString(folder.resolve("text.txt"), "To be, or not to be\nthat is the question\n");
        start();

        await().atMost(60, TimeUnit.SECONDS).until(() -> !resourceManager.registrations.isEmpty());
        TaskExecutorGateway worker =
                rpc.taskExecutor(resourceManager.registrations.get(0).endpoint());
        ResourceManagerId masterId = new ResourceManagerId(master.endpoint().token());
        JobMasterId leaderId = new JobMasterId(leader.endpoint().token());
        assertThat(get(worker.requestSlots(new SlotRequests(
                                masterId,
                                List.of(new SlotRequest(
                                        slot(1),
                                        JOB,
                                        leader.endpoint(),
                                        "all",
                                        "default",
                                        ResourceProfile.of(1_000, 32 << 20),
                                        1)))))
                        .answers())
                .allMatch(answer -> answer.granted());
        await().atMost(20, TimeUnit.SECONDS).until(() -> !jobMaster.offers.isEmpty());

        TaskDeployment task = new TaskDeployment(
                attempt(0),
                "words",
                leader.endpoint(),
                keeper.endpoint(),
                slot(1),
                "dataflow",
                1,
                128,
                List.of(bundle),
                List.of(
                        operator("source", "file-source", Map.of("path", text.toString())),
                        operator("split", "word-split", Map.of()),
                        operator(
                                "sink",
                                "file-sink",
                                Map.of("path", folder.resolve("out").toString()))),
                List.of(),
                List.of());
        assertThat(get(worker.deployTasks(new Deployments(leaderId, List.of(task))))
                        .answers())
                .containsExactly(DeploymentAnswer.accepted(attempt(0)));
        awaitState(TaskState.READY_TO_COMMIT);
        List<Committable> parts = jobMaster.updates.get(1).committables();
        get(worker.commitTask(new Commit(leaderId, attempt(0), parts, new InstanceId(jobMaster.instance), 0)));
        awaitState(TaskState.FINISHED);

        assertThat(jobMaster.states())
                .containsExactly(TaskState.RUNNING, TaskState.READY_TO_COMMIT, TaskState.FINISHED);
        assertThat(folder.resolve("out").resolve("part.txt"))
                .hasContent("to\nbe\nor\nnot\nto\nbe\nthat\nis\nthe\nquestion\n");
        TaskLogDetails log = get(worker.listLogs(LogFilter.of(JOB))).logs().get(0);
        assertThat(log.vertices()).containsExactly("source", "split", "sink");
        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(text(worker, LogRequest.ofTask(JOB, log.log(), 0, LogFolder.MAX_READ)))
                        .contains("INFO DataflowRuntime - Task " + attempt(0) + " starts in slot")
                        .contains("INFO DataflowTask - Task " + attempt(0) + " ended: Finished"));
        assertThat(text(worker, LogRequest.ofWorker(0, LogFolder.MAX_READ)))
                .contains("INFO RunningWorker - worker w-1: up at");
        get(worker.disconnectJobMaster(JOB, leaderId, new InstanceId(1), true, "finished"));
        await().atMost(60, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(get(worker.heartbeatFromResourceManager(masterId)).slots())
                    .isEmpty();
            assertThat(output()).contains("bundle " + bundle + ": uninstalled");
        });
        assertThat(get(worker.exit(masterId, false, "idle"))).isTrue();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(output()).isTrue();
        assertThat(process.exitValue()).as(output()).isZero();
        assertThat(resourceManager.disconnects).containsExactly("idle");
    }

    @Test
    void f20_aWorkerThatIsKilledAndStartedAgainOffersTheSameSlots() throws Exception {
        Served master = rpc.serve(
                EndpointName.RESOURCE_MANAGER, token, PartialGateway.of(ResourceManagerGateway.class, resourceManager));
        Served leader =
                rpc.serve(EndpointName.jobMaster(JOB), token, PartialGateway.of(JobMasterGateway.class, jobMaster));
        CompletionStage<RegistrationResponse> patient =
                CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 60_000, 600_000));
        resourceManager.answer = patient;
        jobMaster.answer = patient;
        start();
        await().atMost(60, TimeUnit.SECONDS).until(() -> !resourceManager.registrations.isEmpty());
        TaskExecutorGateway worker =
                rpc.taskExecutor(resourceManager.registrations.get(0).endpoint());
        assertThat(get(worker.requestSlots(new SlotRequests(
                                new ResourceManagerId(master.endpoint().token()),
                                List.of(new SlotRequest(
                                        slot(1),
                                        JOB,
                                        leader.endpoint(),
                                        "all",
                                        "default",
                                        ResourceProfile.of(1_000, 32 << 20),
                                        1)))))
                        .answers())
                .allMatch(answer -> answer.granted());
        await().atMost(20, TimeUnit.SECONDS).until(() -> !jobMaster.offers.isEmpty());

        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        int registrations = resourceManager.registrations.size();
        int offers = jobMaster.offers.size();
        start();

        await().atMost(60, TimeUnit.SECONDS).until(() -> resourceManager.registrations.size() > registrations);
        assertThat(resourceManager.registrations.get(registrations).slots().slots())
                .extracting(SlotReport.Slot::allocation)
                .containsExactly(slot(1));
        assertThat(resourceManager.registrations.get(registrations).session())
                .isGreaterThan(resourceManager.registrations.get(0).session());
        await().atMost(20, TimeUnit.SECONDS).until(() -> jobMaster.offers.size() > offers);
        assertThat(jobMaster.offers.get(offers).offers())
                .extracting(offer -> offer.allocation())
                .containsExactly(slot(1));
    }

    private void awaitState(TaskState state) {
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> jobMaster.updates.stream()
                        .map(TaskUpdate::state)
                        .anyMatch(reached -> reached == state || reached == TaskState.FAILED));
        assertThat(jobMaster.updates).extracting(TaskUpdate::cause).containsOnly("");
    }

    private static ChainedOperator operator(String vertex, String name, Map<String, String> configuration) {
        return new ChainedOperator(vertex, name, new TreeMap<>(configuration));
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private static String text(TaskExecutorGateway worker, LogRequest request) throws Exception {
        return new String(get(worker.readLog(request)).content(), StandardCharsets.UTF_8);
    }

    private void start() throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx160m",
                        "-jar",
                        Path.of(System.getProperty("berth.worker.home"), "lib", "berth-worker.jar")
                                .toString(),
                        "--master",
                        rpc.address().toString(),
                        "--id",
                        "w-1",
                        "--cpu",
                        "2",
                        "--memory",
                        "64m",
                        "--work",
                        folder.resolve("work").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
