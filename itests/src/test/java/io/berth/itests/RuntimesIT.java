package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import javax.inject.Inject;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** Jobs of processes and services: the examples of docs run, restart and scale on workers of the assembly. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class RuntimesIT {

    private static final Duration LIMIT = Duration.ofSeconds(120);

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    private Cluster cluster;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(0, 2, 2),
            BerthContainer.artifact("berth.sum.yaml"),
            BerthContainer.artifact("berth.service.jar")
        };
    }

    @Before
    public void meetTheCluster() {
        cluster = new Cluster(jobs, operations);
    }

    @Test
    public void ranksOfAPythonScriptSumNumbersOverTheRendezvous() throws Exception {
        Path result = Cluster.scratch("sum").resolve("result");
        JobId id = cluster.submit(sum(3, 0.1, result));
        JobDetails job = cluster.finished(id, LIMIT);

        assertEquals("499999500000", Files.readString(result).strip());
        assertEquals(3, Cluster.vertex(job, "sum").parallelism());
        assertEquals(0, job.restarts());
        assertEquals(List.of(), processes(id, ""));
    }

    @Test
    public void allRanksRestartWithOneThatIsKilledAndScaleRestartsThemWithTheNewSize() throws Exception {
        JobId id = cluster.submit(sum(100_000, 0.1, Cluster.scratch("endless").resolve("result")));
        Await.until(
                "three ranks of the first execution",
                LIMIT,
                () -> processes(id, ".1.0/script").size() == 3);
        List<ProcessHandle> first = processes(id, ".1.0/script");

        processes(id, ".sum.1.").get(0).destroyForcibly();

        cluster.await(
                id,
                "three ranks of the next execution",
                LIMIT,
                running -> processes(id, ".2.0/script").size() == 3);
        assertTrue("none of the first execution is left", first.stream().noneMatch(ProcessHandle::isAlive));
        JobDetails job = cluster.job(id);
        assertEquals("the job is one region", 1, job.restarts());
        JobFailure failure = job.events().failures().get(0);
        assertTrue(
                Cluster.text(job),
                failure.cause().text().contains("ended with exit code 137, signal KILL")
                        || failure.cause().text().contains("a peer has gone"));

        RequirementsResult changed = Cluster.await(
                jobs.changeRequirements(id, OptionalLong.empty(), List.of(new VertexBounds("sum", 1, 2, 2))));
        assertTrue(changed.toString(), changed instanceof RequirementsResult.Changed);
        Await.until(
                "two ranks that know that they are two",
                LIMIT,
                () -> processes(id, "/script").size() == 2
                        && processes(id, "/script").stream().allMatch(rank -> hasVariable(rank, "BERTH_SIZE=2")));

        cluster.cancel(id);
        Await.until("no rank is left", LIMIT, () -> processes(id, "/script").isEmpty());
    }

    @Test
    public void aPlainServiceTicksAndFinishes() throws Exception {
        String bundle = cluster.bundle(Cluster.file("berth.service.jar"));
        JobId id = cluster.submit("""
                name: ticker
                bundles: [%s]
                vertices:
                  - name: tick
                    runtime: service
                    operator: ticker
                    parallelism: 2
                    configuration: {ticks: 10, interval.ms: 20}
                """.formatted(bundle));
        JobDetails job = cluster.finished(id, LIMIT);

        assertEquals(20L, (long) job.counters().get("tick.ticks"));
    }

    private static String sum(int rounds, double pause, Path result) throws IOException {
        return Files.readString(Cluster.file("berth.sum.yaml"))
                .replace("{min: 1, desired: 3, max: 4}", "{min: 3, max: 3}")
                .replace("environment.ROUNDS: 20", "environment.ROUNDS: " + rounds)
                .replace(
                        "environment.PAUSE: 0.5",
                        "environment.PAUSE: " + pause + "\n      environment.RESULT: " + result);
    }

    /** The processes of the job; the path of their script names job, rank and attempt. Not the shells that watch them. */
    private static List<ProcessHandle> processes(JobId job, String path) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String line = WorkerProcesses.commandLine(process);
                    return !line.startsWith("/bin/sh -c")
                            && line.contains("/tasks/" + job.value() + ".sum.")
                            && line.contains(path);
                })
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    private static boolean hasVariable(ProcessHandle process, String variable) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc", Long.toString(process.pid()), "environ"));
            return List.of(new String(environment, StandardCharsets.UTF_8).split("\0"))
                    .contains(variable);
        } catch (IOException gone) {
            return false;
        }
    }
}
