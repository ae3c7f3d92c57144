package io.berth.core.resources.backends;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.resources.logs.LogBounds;
import io.berth.core.resources.settings.WorkerRuntime;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkerLaunchTest {

    private final WorkerLaunch launch = new WorkerLaunch(
            "/opt/java/bin/java",
            Path.of("/opt/worker"),
            List.of("-XX:+UseParallelGC"),
            256,
            Path.of("/var/berth"),
            new RpcAddress("127.0.0.1", 7077),
            300_000);

    @Test
    void tellsTheWorkerAllThatItNeedsToJoin() {
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .defaultSlots(2)
                .maximum(4)
                .build();

        assertThat(launch.describe(new WorkerId("local-1"), "local", spec).localCommand(Optional.empty()))
                .containsExactly(
                        "/opt/java/bin/java",
                        "-Xmx1280m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:+UseParallelGC",
                        "-cp",
                        "/opt/worker/lib/berth-worker.jar",
                        "io.berth.worker.launcher.Launcher",
                        "--master",
                        "127.0.0.1:7077",
                        "--id",
                        "local-1",
                        "--cpu",
                        "1.5",
                        "--memory",
                        "1g",
                        "--slots",
                        "2",
                        "--backend",
                        "local",
                        "--spec",
                        "default",
                        "--resource-manager-timeout-ms",
                        "300000",
                        "--leader-file",
                        "/var/berth/resource-manager",
                        "--work",
                        "/var/berth/workers/local-1",
                        "--logs",
                        "/var/berth/worker-logs");
    }

    @Test
    void tellsTheWorkerItsLabelsAndTaints() {
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .label("zone", "eu 1")
                .taint("gpu", "v100")
                .build();

        assertThat(launch.describe(new WorkerId("local-1"), "local", spec).localCommand(Optional.empty()))
                .containsSequence(
                        "--spec",
                        "default",
                        "--label",
                        "zone=eu 1",
                        "--taint",
                        "gpu=v100",
                        "--resource-manager-timeout-ms");
    }

    @Test
    void aWorkerWithoutACertificateIsNotStartedWhereOneIsNeeded() {
        WorkerLaunch secured = new WorkerLaunch(
                launch.java(),
                launch.home(),
                launch.options(),
                256,
                launch.directory(),
                launch.masters(),
                true,
                () -> RuntimeSettings.DEFAULTS,
                LaunchEnvironment.NONE,
                300_000,
                LogBounds.DEFAULTS);
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .defaultSlots(2)
                .maximum(4)
                .build();
        assertThatThrownBy(() -> secured.describe(new WorkerId("w"), "local", spec))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("berth worker --security");
    }

    @Test
    void startsWorkersWithTheSettingsOfTheRuntimeAsTheyAreThen() {
        WorkerRuntime runtime = new WorkerRuntime(Map.of(
                "network.memory.bytes",
                "268435456",
                "service.pid",
                "x",
                "osgi.ds.satisfying.condition.target",
                "(x=y)"));
        WorkerLaunch configured = new WorkerLaunch(
                launch.java(),
                launch.home(),
                launch.options(),
                256,
                launch.directory(),
                launch.masters(),
                false,
                runtime::settings,
                LaunchEnvironment.NONE,
                300_000,
                LogBounds.DEFAULTS);
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .defaultSlots(2)
                .maximum(4)
                .build();
        assertThat(configured.describe(new WorkerId("w"), "local", spec).localCommand(Optional.empty()))
                .contains("-Xmx1408m")
                .containsSequence("--runtime", "network.memory.bytes=268435456");

        runtime.modified(Map.of("network.memory.bytes", "268435456", "flush.interval.ms", "0"));
        assertThat(runtime.settings().changed())
                .as("a value that is not allowed changes nothing")
                .containsOnlyKeys("network.memory.bytes");

        runtime.modified(Map.of("flush.interval.ms", 5));
        assertThat(configured.describe(new WorkerId("w"), "local", spec).localCommand(Optional.empty()))
                .contains("-Xmx1280m")
                .containsSequence("300000", "--runtime", "flush.interval.ms=5")
                .doesNotContain("network.memory.bytes=268435456");
    }

    @Test
    void givesMemoryInTheLargestUnitThatDividesIt() {
        WorkerSpec spec =
                WorkerSpec.of("odd", ResourceProfile.of(1_000, 1_536L << 20)).build();

        assertThat(launch.describe(new WorkerId("w"), "local", spec).localCommand(Optional.empty()))
                .containsSequence("--memory", "1536m");
    }

    @Test
    void tellsTheWorkerAllThatItsSpecHasAndGivesItsJvmRoomForIt() {
        WorkerSpec spec = WorkerSpec.of(
                        "gpu",
                        new ResourceProfile(
                                2_000, 1L << 30, 512L << 20, 128L << 20, new TreeMap<>(Map.of("gpu", 2L, "fpga", 1L))))
                .defaultSlots(2)
                .build();

        LaunchDescription description = launch.describe(new WorkerId("w"), "local", spec);
        assertThat(description.localCommand(Optional.empty()))
                .contains("-Xmx1408m", "-XX:MaxDirectMemorySize=768m")
                .containsSequence(
                        "--memory",
                        "1g",
                        "--off-heap",
                        "512m",
                        "--managed",
                        "128m",
                        "--resource",
                        "fpga=1",
                        "--resource",
                        "gpu=2",
                        "--slots",
                        "2");
        assertThat(description.memoryBytes()).isEqualTo((1_408L + 768 + 256) << 20);
    }

    private LaunchDescription with(LaunchEnvironment environment) {
        return new WorkerLaunch(
                        launch.java(),
                        launch.home(),
                        launch.options(),
                        256,
                        launch.directory(),
                        launch.masters(),
                        false,
                        () -> RuntimeSettings.DEFAULTS,
                        environment,
                        300_000,
                        LogBounds.DEFAULTS)
                .describe(
                        new WorkerId("w"),
                        "local",
                        WorkerSpec.of("default", ResourceProfile.of(1_000, 1L << 30))
                                .build());
    }

    @Test
    void givesWorkersTheConfiguredVariablesAndTheSecretsAsTheyAreThen(@TempDir Path directory) throws IOException {
        Path file = secrets(directory, "rw-------", "# of the database\n\ndb.password=hunter = 2\nkey=abc\n");
        LaunchEnvironment environment =
                LaunchEnvironment.of("LANG=en_US.UTF-8, CUDA_HOME=/opt/cuda=12", " " + file + " ");

        LaunchDescription first = with(environment);
        assertThat(first.environment())
                .isEqualTo(new TreeMap<>(Map.of("LANG", "en_US.UTF-8", "CUDA_HOME", "/opt/cuda=12")));
        assertThat(first.secrets()).isEqualTo(new TreeMap<>(Map.of("db.password", "hunter = 2", "key", "abc")));
        assertThat(first.localCommand(Optional.of(Path.of("/run/w.secrets"))) + first.toString() + environment)
                .contains("/run/w.secrets")
                .doesNotContain("hunter", "db.password");

        Files.writeString(file, "key=changed\n");
        assertThat(with(environment).secrets()).containsExactly(Map.entry("key", "changed"));
    }

    private static Path secrets(Path directory, String permissions, String content) throws IOException {
        Path file = Files.writeString(directory.resolve("worker.secrets"), content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
    }

    @Test
    void startsNoWorkerWithSecretsThatCannotBeUsedAndTellsNothingOfThem(@TempDir Path directory) throws IOException {
        Path missing = directory.resolve("none");
        refuses(missing, "worker.secrets.file is " + missing + ": there is no such file");
        refuses(directory, "that is no file");
        refuses(secrets(directory, "rw-r-----", "key=hunter2\n"), "permissions are rw-r-----: allowed is rw-------");
        refuses(secrets(directory, "rw-------", "key=a\nhunter2\n"), "line 2 is not allowed: NAME=VALUE is");
        refuses(secrets(directory, "rw-------", "key=a\nkey=hunter2\n"), "line 2 is not allowed");
        refuses(secrets(directory, "rw-------", "key=" + "hunter2".repeat(200_000)), "up to 1048576 are allowed");
    }

    private void refuses(Path file, String message) {
        assertThatThrownBy(() -> with(LaunchEnvironment.of("", file.toString())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void refusesVariablesThatAreNone() {
        assertThat(LaunchEnvironment.of(" ", "")).isEqualTo(LaunchEnvironment.NONE);
        assertThatThrownBy(() -> LaunchEnvironment.of("A=1, 2B=3", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("worker.environment has '2B=3': allowed is NAME=VALUE, separated by commas");
        assertThatThrownBy(() -> LaunchEnvironment.of("A=1,A=2", "")).hasMessageContaining("each name once");
        assertThatThrownBy(() -> LaunchEnvironment.of("A=1,", "")).hasMessageContaining("worker.environment has ''");
    }

    @Test
    void tellsTheWorkerAllThatMayServeTheResourceManager() {
        WorkerLaunch two = new WorkerLaunch(
                launch.java(),
                launch.home(),
                launch.options(),
                256,
                launch.directory(),
                List.of(new RpcAddress("127.0.0.1", 7078), new RpcAddress("127.0.0.1", 7079)),
                false,
                () -> RuntimeSettings.DEFAULTS,
                LaunchEnvironment.NONE,
                300_000,
                LogBounds.DEFAULTS);
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .defaultSlots(2)
                .maximum(4)
                .build();

        assertThat(two.describe(new WorkerId("w"), "local", spec).localCommand(Optional.empty()))
                .containsSequence("--master", "127.0.0.1:7078,127.0.0.1:7079");
        assertThat(two.hasOther(new RpcAddress("127.0.0.1", 7078))).isTrue();
        assertThat(launch.hasOther(new RpcAddress("127.0.0.1", 7077))).isFalse();
    }

    @Test
    void describesAWorkerOfAnotherMachineWithoutFilesOfThisOne() {
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .defaultSlots(2)
                .build();
        LaunchDescription description =
                launch.describe(new WorkerId("far-1"), "far", spec).withControlPlane(List.of("10.0.0.1:7077"));

        assertThat(description.command("/usr/bin/java", "/mnt/berth", Optional.empty()))
                .containsSequence("-cp", "/mnt/berth/lib/berth-worker.jar", "io.berth.worker.launcher.Launcher")
                .containsSequence("--master", "10.0.0.1:7077", "--id", "far-1")
                .noneMatch(word -> word.contains("/var/berth") || word.contains("/opt/"));
        assertThat(description.heapBytes()).isEqualTo(1_280L << 20);
        assertThat(description.directBytes()).isEqualTo(256L << 20);
        assertThat(description.memoryBytes()).as("with what the JVM needs").isEqualTo((1_280L + 256 + 256) << 20);
    }

    @Test
    void packsTheFilesOfWorkersOnceUntilTheyChange(@TempDir Path directory) throws IOException {
        Path home = Files.createDirectories(directory.resolve("home/lib"));
        Files.writeString(home.resolve("berth-worker.jar"), "not a real one");
        Path packed = directory.resolve("packed");

        WorkerArchive first = WorkerArchives.of(home.getParent(), packed);
        FileTime written = Files.getLastModifiedTime(first.path());
        assertThat(WorkerArchives.of(home.getParent(), packed)).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first.path())).isEqualTo(written);
        assertThat(first.size()).isEqualTo(Files.size(first.path()));
        try (ZipFile zip = new ZipFile(first.path().toFile())) {
            assertThat(new String(
                            zip.getInputStream(zip.getEntry("lib/berth-worker.jar"))
                                    .readAllBytes(),
                            UTF_8))
                    .isEqualTo("not a real one");
        }
        Path elsewhere = directory.resolve("elsewhere");
        assertThat(WorkerArchives.of(home.getParent(), elsewhere).sha256())
                .as("the same files make the same archive")
                .isEqualTo(first.sha256());

        Files.writeString(home.resolve("more.jar"), "another file");
        WorkerArchive second = WorkerArchives.of(home.getParent(), packed);
        assertThat(second.sha256()).isNotEqualTo(first.sha256());
        assertThat(packed).isDirectoryContaining("glob:**" + second.path().getFileName());
        assertThat(first.path()).doesNotExist();
        assertThatThrownBy(() -> WorkerArchives.of(directory.resolve("none"), packed))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("see worker.home");
    }
}
