package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.itests.OutsideCluster.Setting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.Test;

/** However the control plane ends, no worker process is left. The test runs outside of it. */
public class NoWorkerOutlivesIT {

    private static final int TASKS = 4;
    private static final Duration SELF_END = Duration.ofSeconds(10);

    /** Time to notice that the control plane is gone, and to end. */
    private static final Duration SLACK = Duration.ofSeconds(15);

    private static List<Setting> settings() {
        return new ArrayList<>(List.of(
                Setting.berth("backend.local", "workers.min", 2),
                Setting.berth("backend.local", "workers.max", 2),
                Setting.berth("backend.local", "worker.memory", "128m"),
                Setting.berth("core.resources", "worker.memory.overhead.mib", 128)));
    }

    /** Two workers that run a job, writing to {@code output}. */
    private static void runAJob(OutsideCluster cluster, Path output) throws Exception {
        String bundle = cluster.bundle(BerthContainer.file("berth.sequence.jar").toPath());
        cluster.workers(2, LIMIT);
        assertEquals(2, cluster.workers().size());
        String job = cluster.submit(Jobs.sequenceToFiles("endless", bundle, 1L << 40, 100_000, TASKS, TASKS, output));
        cluster.running(job, LIMIT);
        // A task that cannot tell that it runs, because the JobMaster was killed, is canceled with the others.
        Await.until("all tasks run", LIMIT, () -> {
            boolean all = true;
            for (JsonNode vertex : cluster.get("jobs/" + job).get("vertices")) {
                all &= vertex.get("running").asInt() == TASKS;
            }
            return all;
        });
    }

    @Test
    public void afterAnOrderlyStop() throws Exception {
        List<Setting> settings = settings();
        settings.add(Setting.berth("core.resources", "worker.resource.manager.timeout.ms", 600_000));
        try (OutsideCluster cluster = OutsideCluster.start("orderly", settings)) {
            runAJob(cluster, cluster.home().resolve("output"));

            ProcessHandle controlPlane = cluster.controlPlane();
            assertTrue(controlPlane.destroy());
            controlPlane.onExit().get(120, TimeUnit.SECONDS);

            Await.until(
                    () -> "no worker left of " + cluster.workers(),
                    Duration.ofSeconds(30),
                    () -> cluster.workers().isEmpty());
        }
    }

    @Test
    public void afterAKillAndTheTimeWithoutResourceManager() throws Exception {
        List<Setting> settings = settings();
        settings.add(Setting.berth("core.resources", "worker.resource.manager.timeout.ms", SELF_END.toMillis()));
        settings.add(Setting.berth("core.resources", "heartbeat.interval.ms", 500));
        settings.add(Setting.berth("core.resources", "heartbeat.timeout.ms", 3000));
        // Otherwise the tasks end because their JobMaster is lost too.
        settings.add(Setting.berth("core.scheduler", "heartbeat.timeout.ms", 60_000));
        try (OutsideCluster cluster = OutsideCluster.start("killed", settings)) {
            Path output = cluster.home().resolve("output");
            runAJob(cluster, output);

            long killed = System.nanoTime();
            assertTrue(cluster.controlPlane().destroyForcibly());
            assertTasksGoOn(output, killed);
            assertEquals(
                    "workers wait for another ResourceManager",
                    2,
                    cluster.workers().size());

            Await.until(
                    () -> "no worker left of " + cluster.workers(),
                    SELF_END.plus(SLACK),
                    () -> cluster.workers().isEmpty());
        }
    }

    /** Until shortly before the workers may end, the output grows. */
    private static void assertTasksGoOn(Path output, long killed) throws Exception {
        long written = bytesBelow(output);
        for (int second = 1; second <= SELF_END.toSeconds() - 2; second++) {
            long from = written;
            long earliest = killed + Duration.ofSeconds(second).toNanos();
            Await.until(
                    "tasks write after second " + second,
                    Duration.ofNanos(killed + SELF_END.toNanos() - System.nanoTime()),
                    () -> bytesBelow(output) > from && System.nanoTime() - earliest >= 0);
            written = bytesBelow(output);
        }
    }

    private static long bytesBelow(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(NoWorkerOutlivesIT::size)
                    .sum();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return 0;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
