package io.berth.core.resources.backends;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.RuntimeSettings;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
                        "/var/berth/workers/local-1");
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
                runtime::settings,
                300_000);
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
    void tellsTheWorkerAllThatMayServeTheResourceManager() {
        WorkerLaunch two = new WorkerLaunch(
                launch.java(),
                launch.home(),
                launch.options(),
                256,
                launch.directory(),
                List.of(new RpcAddress("127.0.0.1", 7078), new RpcAddress("127.0.0.1", 7079)),
                () -> RuntimeSettings.DEFAULTS,
                300_000);
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
