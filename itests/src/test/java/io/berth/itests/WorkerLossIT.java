package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.service.cm.ConfigurationAdmin;

/** A worker is killed: jobs continue with the remaining ones, use the replacement, and end with the correct result. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class WorkerLossIT {

    private static final Duration LIMIT = Duration.ofSeconds(240);
    /** So many that the job outlives what the test does meanwhile. */
    private static final long RECORDS = 60_000;

    private static final long RATE = 1_000;
    private static final int REPETITIONS = 70;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Inject
    private ConfigurationAdmin configurations;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(2, 2, 3),
            BerthContainer.configuration("core.scheduler", "restart.delay.initial.ms", 50)
        };
    }

    @Test
    public void restartsOnTheRemainingWorkerAndScalesUpWithTheReplacement() throws Exception {
        Cluster cluster = new Cluster(jobs, operations);
        Path output = Cluster.scratch("loss");
        Path text = Texts.repeated(Cluster.file("berth.text"), output.resolve("text.txt"), REPETITIONS);
        String sequence = cluster.bundle(Cluster.file("berth.sequence.jar"));
        String words = cluster.bundle(Cluster.file("berth.wordcount.jar"));
        cluster.workers(2, LIMIT);
        policies.use(PolicyKind.MATCHING, "spread");

        JobId numbers = cluster.submit(
                Jobs.sequenceToFiles("numbers", sequence, RECORDS, RATE, 1, 4, output.resolve("numbers")));
        JobDetails before = cluster.running(numbers, LIMIT);
        assertEquals(4, Cluster.vertex(before, "write").parallelism());
        assertEquals(
                "on both workers",
                2,
                Cluster.workersOf(before).stream().distinct().count());
        JobId counting = cluster.submit(Jobs.wordCount("counting", words, text, output.resolve("counts"), 1, 2));
        cluster.await(
                counting, "reading", LIMIT, job -> Cluster.vertex(job, "split").recordsIn() > 0);

        Path go = output.resolve("go");
        startReplacementsWith(go);
        WorkerId lost = new WorkerId(before.slots().get(0).worker());
        ProcessHandle process = Cluster.process(lost).orElseThrow();
        assertTrue(process.destroyForcibly());

        JobDetails reduced = cluster.await(
                numbers,
                "restarted on the remaining worker",
                LIMIT,
                job -> job.status() == JobStatus.EXECUTING
                        && Cluster.vertex(job, "write").parallelism() == 2);
        assertEquals(Cluster.text(reduced), 1, reduced.restarts());
        assertTrue("not on the lost worker", !Cluster.workersOf(reduced).contains(lost.value()));
        Files.createFile(go);
        JobDetails again = cluster.await(
                numbers,
                "up again",
                LIMIT,
                job -> job.status() == JobStatus.EXECUTING
                        && Cluster.vertex(job, "write").parallelism() == 4);
        assertEquals(Cluster.text(again), 1, again.restarts());
        assertTrue(Cluster.text(again), again.rescales() >= 1);
        assertEquals("the replacement has another id", 2, cluster.registered().size());
        assertTrue(!cluster.registered().contains(lost.value()));

        JobDetails ended = cluster.finished(numbers, LIMIT);
        assertTrue(
                "the reason names the worker: " + ended.history(),
                ended.history().stream()
                        .anyMatch(transition -> transition.status() == JobStatus.RESTARTING
                                && transition.reason().contains(lost.value())));
        assertEquals(
                "each number once",
                LongStream.range(0, RECORDS).boxed().toList(),
                numbersIn(output.resolve("numbers")));

        JobDetails counted = cluster.finished(counting, LIMIT);
        assertTrue("was restarted: " + Cluster.text(counted), counted.restarts() + counted.rescales() >= 1);
        Map<String, Long> once = Texts.words(Cluster.file("berth.text"));
        assertEquals(
                Texts.lines(once, REPETITIONS),
                Files.readAllLines(output.resolve("counts").resolve("counts.tsv")));
        assertEquals(
                Texts.total(once) * REPETITIONS,
                Cluster.vertex(counted, "count").exchangedIn());
        assertEquals(List.of("counts.tsv"), Cluster.files(output.resolve("counts")));
    }

    /**
     * Lets new workers wait until a file exists. Otherwise they could be there before the job ran on the remaining
     * worker.
     */
    private void startReplacementsWith(Path go) throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Path late = go.resolveSibling("late-java");
        Files.writeString(
                late, "#!/bin/sh\nwhile [ ! -e '" + go + "' ]; do sleep 0.1; done\nexec '" + java + "' \"$@\"\n");
        Files.setPosixFilePermissions(late, PosixFilePermissions.fromString("rwxr-xr-x"));
        var configuration = configurations.getConfiguration("io.berth.core.resources", null);
        var properties =
                configuration.getProperties() == null ? new Hashtable<String, Object>() : configuration.getProperties();
        properties.put("worker.java", late.toString());
        configuration.update(properties);
    }

    private static List<Long> numbersIn(Path directory) throws IOException {
        List<String> files = Cluster.files(directory);
        assertEquals(List.of("part-0.txt", "part-1.txt", "part-2.txt", "part-3.txt"), files);
        return files.stream()
                .flatMap(file -> lines(directory.resolve(file)))
                .map(Long::valueOf)
                .sorted()
                .toList();
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
