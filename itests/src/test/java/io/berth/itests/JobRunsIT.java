package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.spi.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import javax.inject.Inject;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** The assembly boots, starts workers for submitted jobs, and jobs end with the correct result. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class JobRunsIT {

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    private Cluster cluster;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(0, 2, 2),
            BerthContainer.configuration("core.resources", "worker.idle.timeout.ms", 3000)
        };
    }

    @Before
    public void meetTheCluster() {
        cluster = new Cluster(jobs, operations);
    }

    @Test
    public void countsTheWordsOfABook() throws Exception {
        assertCounts("book", Cluster.file("berth.text"), 3);
    }

    @Test
    public void countsWordsBetweenStrangeBytesAndLineEnds() throws Exception {
        Path text = Texts.strange(Cluster.scratch("strange").resolve("strange.txt"), 500);
        assertCounts("strange", text, 2);
    }

    private void assertCounts(String name, Path text, int desired) throws Exception {
        Map<String, Long> expected = Texts.words(text);
        Path output = Cluster.scratch(name);
        String bundle = cluster.bundle(Cluster.file("berth.wordcount.jar"));

        JobId id = cluster.submit(Jobs.wordCount(name, bundle, text, output, desired, desired));
        JobDetails job = cluster.finished(id, LIMIT);

        assertEquals(Texts.lines(expected, 1), Files.readAllLines(output.resolve("counts.tsv")));
        assertEquals("nothing but the result is left", List.of("counts.tsv"), Cluster.files(output));
        assertEquals(
                "every single word crosses the exchange",
                Texts.total(expected),
                Cluster.vertex(job, "count").exchangedIn());
        assertEquals(
                "every different word crosses it once more",
                expected.size(),
                Cluster.vertex(job, "order").exchangedIn());
        assertEquals(desired, Cluster.vertex(job, "count").parallelism());
        assertEquals(0, job.restarts());
        assertEquals(0, job.rescales());
        assertTrue("run time is measured", job.runMillis() > 0);
        assertEquals("no slot is kept", List.of(), job.slots());
    }

    @Test
    public void aTaskThatFailsRestartsOnlyTheTasksThatItExchangesRecordsWith() throws Exception {
        Path folder = Cluster.scratch("pipelines");
        String numbers = cluster.bundle(Cluster.file("berth.sequence.jar"));
        String failing = cluster.bundle(OperatorBundles.failsOnce(folder));
        Path output = folder.resolve("out");
        JobId id = cluster.submit("""
                name: pipelines
                bundles: [%s, %s]
                vertices:
                  - name: numbers
                    operator: sequence
                    parallelism: 3
                    configuration: {records: 30000, splits: 12, rate.per.second: 5000}
                  - {name: step, operator: fails-once, parallelism: 3, configuration: {failed: '%s'}}
                  - {name: write, operator: file-sink, parallelism: 3, configuration: {path: '%s'}}
                edges:
                  - {from: numbers, to: step, partitioning: forward}
                  - {from: step, to: write, partitioning: forward}
                """.formatted(numbers, failing, folder.resolve("failed"), output));
        JobDetails job = cluster.finished(id, LIMIT);

        assertEquals("the job was not restarted", 0, job.restarts());
        assertEquals(1, job.events().failures().size());
        JobFailure failure = job.events().failures().get(0);
        assertEquals("numbers[1]", failure.cause().task());
        assertTrue(
                failure.cause().stack(),
                failure.cause()
                        .stack()
                        .startsWith("java.lang.IllegalStateException: it fails once\n\tat "
                                + "io.berth.itests.operators.FailsOnce"));
        assertEquals(0, failure.othersInAll());
        assertTrue(
                Cluster.text(job),
                job.history().stream()
                        .anyMatch(change -> change.reason().startsWith("restarts 1 of 3 tasks: task numbers[1]")));
        List<Long> written = new ArrayList<>();
        for (String file : Cluster.files(output)) {
            Files.readAllLines(output.resolve(file)).forEach(line -> written.add(Long.valueOf(line)));
        }
        Collections.sort(written);
        assertEquals("each number once", LongStream.range(0, 30_000).boxed().toList(), written);
    }

    @Test
    public void releasesUnneededWorkers() throws Exception {
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        JobId id = cluster.submit(Jobs.sequence("short", bundle, 1000, 0, 1, 1));
        JobDetails job = cluster.finished(id, LIMIT);

        assertEquals(1000L, (long) job.counters().get("tally.tally.records"));
        assertEquals(999L * 1000 / 2, (long) job.counters().get("tally.tally.sum"));
        JobDetails again = cluster.finished(cluster.submit(Jobs.sequence("short", bundle, 1000, 0, 1, 1)), LIMIT);
        assertEquals("learned from the first run", job.runMillis(), again.expectedRuntimeMillis());
        assertEquals(1, again.runtimeLearnedFrom());
        Path home = Path.of(System.getProperty("karaf.home"));
        Await.until(
                "no worker left",
                LIMIT,
                () -> cluster.state().workers().isEmpty()
                        && WorkerProcesses.below(home).isEmpty());
    }
}
