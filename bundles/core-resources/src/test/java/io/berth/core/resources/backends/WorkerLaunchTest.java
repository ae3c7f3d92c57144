package io.berth.core.resources.backends;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.resources.settings.WorkerRuntime;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

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

        assertThat(launch.command(new WorkerId("local-1"), "local", spec))
                .containsExactly(
                        "/opt/java/bin/java",
                        "-Xmx1280m",
                        "-XX:MaxDirectMemorySize=256m",
                        "-XX:+UseParallelGC",
                        "-jar",
                        "/opt/worker/lib/berth-worker.jar",
                        "--master",
                        "127.0.0.1:7077",
                        "--leader-file",
                        "/var/berth/resource-manager",
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
                        "--work",
                        "/var/berth/workers/local-1",
                        "--resource-manager-timeout-ms",
                        "300000");
    }

    @Test
    void tellsTheWorkerItsLabelsAndTaints() {
        WorkerSpec spec = WorkerSpec.of("default", ResourceProfile.of(1_500, 1L << 30))
                .label("zone", "eu 1")
                .taint("gpu", "v100")
                .build();

        assertThat(launch.command(new WorkerId("local-1"), "local", spec))
                .containsSequence("--spec", "default", "--label", "zone=eu 1", "--taint", "gpu=v100", "--work");
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
        assertThat(configured.command(new WorkerId("w"), "local", spec))
                .contains("-Xmx1408m")
                .endsWith("--runtime", "network.memory.bytes=268435456");

        runtime.modified(Map.of("network.memory.bytes", "268435456", "flush.interval.ms", "0"));
        assertThat(runtime.settings().changed())
                .as("a value that is not allowed changes nothing")
                .containsOnlyKeys("network.memory.bytes");

        runtime.modified(Map.of("flush.interval.ms", 5));
        assertThat(configured.command(new WorkerId("w"), "local", spec))
                .contains("-Xmx1280m")
                .endsWith("300000", "--runtime", "flush.interval.ms=5");
    }

    @Test
    void givesMemoryInTheLargestUnitThatDividesIt() {
        WorkerSpec spec =
                WorkerSpec.of("odd", ResourceProfile.of(1_000, 1_536L << 20)).build();

        assertThat(launch.command(new WorkerId("w"), "local", spec)).containsSequence("--memory", "1536m");
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

        assertThat(two.command(new WorkerId("w"), "local", spec))
                .containsSequence("--master", "127.0.0.1:7078,127.0.0.1:7079");
        assertThat(two.hasOther(new RpcAddress("127.0.0.1", 7078))).isTrue();
        assertThat(launch.hasOther(new RpcAddress("127.0.0.1", 7077))).isFalse();
    }
}
