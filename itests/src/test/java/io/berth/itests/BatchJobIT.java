package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.itests.workflow.Workflows;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** Jobs with blocking edges run part by part, and produce stored results again that were lost with their worker. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class BatchJobIT {

    private static final Duration LIMIT = Duration.ofSeconds(240);
    private static final int WORKERS = 2;
    private static final int SLOTS = 3;
    private static final int MANY = 50_000;
    private static final int FEW = 12_000;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(WORKERS, WORKERS, SLOTS),
            BerthContainer.configuration("core.scheduler", "restart.delay.initial.ms", 50)
        };
    }

    @Test
    public void aStoredResultThatIsLostWithItsWorkerIsProducedAgain() throws Exception {
        Cluster cluster = new Cluster(jobs, operations);
        Path folder = Cluster.scratch("batch");
        Path last = folder.resolve("last");
        Path output = folder.resolve("output");
        cluster.workers(WORKERS, LIMIT);
        JobId id = cluster.submit(
                """
                name: batch
                bundles: [%s]
                vertices:
                  - {name: many, operator: sequence, parallelism: 2, configuration: {records: %d, splits: 12}}
                  - name: few
                    operator: sequence
                    parallelism: 2
                    configuration: {records: %d, splits: 12, last.when.exists: '%s'}
                  - {name: write, operator: file-sink, parallelism: 2, configuration: {path: '%s'}}
                edges:
                  - {from: many, to: write, partitioning: rebalance, exchange: blocking}
                  - {from: few, to: write, partitioning: rebalance, exchange: blocking}
                """.formatted(cluster.bundle(Cluster.file("berth.sequence.jar")), MANY, FEW, last, output));
        cluster.await(
                id,
                "the first part has finished, and the second runs",
                LIMIT,
                job -> Cluster.vertex(job, "many").finished() == 2
                        && Cluster.vertex(job, "few").running() > 0);
        assertEquals(0, Cluster.vertex(cluster.job(id), "write").parallelism());
        assertFalse("nothing is read of a result that is not whole", Files.exists(output.resolve("part-0.txt")));
        Await.until("workers tell that they store results", LIMIT, () -> results(cluster) > 0);

        WorkerId lost = attempts(id, "many").get(0).worker();
        assertTrue(Cluster.process(lost).orElseThrow().destroyForcibly());
        Await.until(
                "the first part runs again elsewhere",
                LIMIT,
                () -> attempts(id, "many").stream()
                        .anyMatch(log ->
                                log.attempt().execution() == 2 && !log.worker().equals(lost)));
        Files.createFile(last);
        JobDetails ended = cluster.finished(id, LIMIT);

        assertEquals(
                "each number once",
                LongStream.concat(LongStream.range(0, MANY), LongStream.range(0, FEW))
                        .sorted()
                        .boxed()
                        .toList(),
                Cluster.numbersIn(output));
        assertEquals(Cluster.text(ended), MANY + FEW, (int)
                Cluster.vertex(ended, "write").exchangedIn());
        Await.until("no result is kept", LIMIT, () -> results(cluster) == 0);
    }

    @Test
    public void aWorkflowRunsOnFewerSlotsThanTasksAndRepeatsOnlyWhatIsLost() throws Exception {
        policies.use(PolicyKind.MATCHING, "spread");
        WorkflowRuns runs = new WorkflowRuns(new Cluster(jobs, operations), operations, WORKERS, WORKERS * SLOTS);
        runs.run(Workflows.small());
        runs.runWithLoss(Workflows.small(), true);
        runs.runWithLoss(Workflows.small(), false);
    }

    private List<TaskLogDetails> attempts(JobId id, String vertex) throws Exception {
        return Cluster.await(operations.taskLogs(new LogFilter(id, Optional.of(vertex), Optional.empty())))
                .logs();
    }

    private static int results(Cluster cluster) throws Exception {
        return cluster.state().workers().stream()
                .mapToInt(WorkerDetails::results)
                .sum();
    }
}
