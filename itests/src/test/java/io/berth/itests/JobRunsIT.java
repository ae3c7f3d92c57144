package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.spi.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    private static final Duration LIMIT = Duration.ofSeconds(60);

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
