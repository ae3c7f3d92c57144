package io.berth.worker;

import static io.berth.worker.WorkerFixture.JOB;
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
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.task.AttemptId;
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
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker process from the archive runs tasks of the runtimes process and service. The test is the control plane. */
class WorkerRuntimesIT {

    private static final Path SUM = Path.of("../../docs/examples/sum.yaml");

    @TempDir
    private Path folder;

    private final RunningRpc rpc = RpcServices.start(RpcConfig.defaults("test"), ClusterSecurity.NONE);
    private final FakeResourceManager resourceManager = new FakeResourceManager();
    private final FakeJobMaster jobMaster = new FakeJobMaster();
    private final FakeDispatcher dispatcher = new FakeDispatcher();
    private final FencingToken token = new FencingToken(1, UUID.randomUUID());
    private Served leader;
    private Served keeper;
    private Process process;
    private TaskExecutorGateway worker;

    @BeforeEach
    void startWithASlot() throws Exception {
        CompletionStage<RegistrationResponse> patient =
                CompletableFuture.completedStage(new RegistrationResponse.Accepted(new InstanceId(1), 60_000, 600_000));
        resourceManager.answer = patient;
        jobMaster.answer = patient;
        Served master = rpc.serve(
                EndpointName.RESOURCE_MANAGER, token, PartialGateway.of(ResourceManagerGateway.class, resourceManager));
        leader = rpc.serve(EndpointName.jobMaster(JOB), token, PartialGateway.of(JobMasterGateway.class, jobMaster));
        keeper = rpc.serve(EndpointName.DISPATCHER, token, PartialGateway.of(DispatcherGateway.class, dispatcher));
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
        await().atMost(60, TimeUnit.SECONDS).until(() -> !resourceManager.registrations.isEmpty());
        worker = rpc.taskExecutor(resourceManager.registrations.get(0).endpoint());
        assertThat(get(worker.requestSlots(new SlotRequests(
                                new ResourceManagerId(master.endpoint().token()),
                                List.of(new SlotRequest(
                                        slot(1),
                                        JOB,
                                        leader.endpoint(),
                                        "all",
                                        "default",
                                        ResourceProfile.of(1_500, 32 << 20),
                                        1)))))
                        .answers())
                .allMatch(answer -> answer.granted());
        await().atMost(20, TimeUnit.SECONDS).until(() -> !jobMaster.offers.isEmpty());
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
        rpc.close();
    }

    private TaskDeployment task(
            String runtime,
            int subtask,
            int size,
            String rendezvous,
            List<BundleRef> bundles,
            String operator,
            Map<String, String> configuration) {
        return new TaskDeployment(
                new AttemptId(JOB, "v", subtask, 1, 1),
                "job",
                leader.endpoint(),
                keeper.endpoint(),
                slot(1),
                runtime,
                size,
                128,
                bundles,
                List.of(new ChainedOperator("v", operator, new TreeMap<>(configuration))),
                List.of(),
                List.of(),
                rendezvous);
    }

    private void deploy(List<TaskDeployment> tasks) throws Exception {
        assertThat(get(worker.deployTasks(new Deployments(
                                new JobMasterId(leader.endpoint().token()), tasks)))
                        .answers())
                .containsExactlyElementsOf(tasks.stream()
                        .map(task -> DeploymentAnswer.accepted(task.attempt()))
                        .toList());
    }

    @Test
    void ranksOfAPythonScriptSumNumbersOverTheRendezvous() throws Exception {
        String example = Files.readString(SUM);
        String script = example.substring(example.indexOf("script: |\n") + "script: |\n".length())
                .stripTrailing()
                .stripIndent();
        Path result = folder.resolve("result");
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<TaskDeployment> ranks = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            ranks.add(task(
                    "process",
                    rank,
                    3,
                    "127.0.0.1:" + port,
                    List.of(),
                    "process",
                    Map.of(
                            "command",
                            "python3 -u {script}",
                            "script",
                            script,
                            "environment.NUMBERS",
                            "1000",
                            "environment.ROUNDS",
                            "2",
                            "environment.PAUSE",
                            "0.1",
                            "environment.RESULT",
                            result.toString())));
        }
        deploy(ranks);
        awaitFinished(3);

        assertThat(result).hasContent("499500");
        await().atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(taskLogs())
                        .contains("rank 0 of 3, round 1: 499500")
                        .contains("rank 1 of 3, round 1: 499500")
                        .contains("rank 2 of 3, round 1: 499500"));
        assertThat(output()).as("only the logs of the tasks have it").doesNotContain("round 1: 499500");
        assertThat(folder.resolve("work/tasks")).isEmptyDirectory();
    }

    @Test
    void aPlainServiceOfABundleTicksAndFinishes() throws Exception {
        BundleRef bundle = dispatcher.add(Files.readAllBytes(Path.of(System.getProperty("berth.service.bundle"))));
        deploy(List.of(
                task("service", 0, 1, "", List.of(bundle), "ticker", Map.of("ticks", "3", "interval.ms", "20"))));
        awaitFinished(1);

        assertThat(jobMaster.updates.get(jobMaster.updates.size() - 1).metrics().counters())
                .containsEntry("v.ticks", 3L);
        assertThat(output()).contains("tick 3 of subtask 0 of 1");
    }

    @Test
    void noProcessOutlivesAWorkerThatIsKilled() throws Exception {
        deploy(List.of(
                task("process", 0, 1, "", List.of(), "process", Map.of("script", "trap '' TERM; sleep 300 & wait"))));
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> process.descendants()
                        .anyMatch(child -> child.info().command().orElse("").endsWith("sleep")));
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().waitFor();

        for (ProcessHandle child : children) {
            child.onExit().get(30, TimeUnit.SECONDS);
        }
    }

    private void awaitFinished(int tasks) throws IOException {
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> jobMaster.updates.stream()
                                        .filter(update -> update.state() == TaskState.FINISHED)
                                        .count()
                                == tasks
                        || jobMaster.updates.stream().anyMatch(update -> update.state() == TaskState.FAILED));
        assertThat(jobMaster.updates).as(output()).extracting(TaskUpdate::cause).containsOnly("");
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    /** What is on disk of the logs of all tasks. */
    private String taskLogs() throws IOException {
        StringBuilder text = new StringBuilder();
        Path tasks = folder.resolve("work/logs/w-1/tasks");
        if (!Files.isDirectory(tasks)) {
            return "";
        }
        try (Stream<Path> files = Files.walk(tasks)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".log")).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    private String output() throws IOException {
        return Files.readString(folder.resolve("log"));
    }
}
