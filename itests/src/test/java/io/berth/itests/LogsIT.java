package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogFolder;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.inject.Inject;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;

/** What tasks print and log can be read while their worker runs, after it was killed, and after the job has ended. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class LogsIT {

    private static final Duration LIMIT = Duration.ofSeconds(240);

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Configuration
    public Option[] configuration() {
        return new Option[] {
            BerthContainer.cluster(1, 2, 3),
            BerthContainer.configuration("core.scheduler", "restart.delay.initial.ms", 50)
        };
    }

    @Test
    public void whatATaskSaidIsReadAlsoAfterItsWorkerWasKilled() throws Exception {
        Cluster cluster = new Cluster(jobs, operations);
        Path folder = Cluster.scratch("logs");
        String numbers = cluster.bundle(Cluster.file("berth.sequence.jar"));
        String failing = cluster.bundle(OperatorBundles.failsOnce(folder));
        Path last = folder.resolve("last");
        JobId id = cluster.submit("""
                name: logs
                bundles: [%s, %s]
                vertices:
                  - name: numbers
                    operator: sequence
                    parallelism: 2
                    configuration: {records: 12000, splits: 12, rate.per.second: 5000, last.when.exists: '%s'}
                  - {name: step, operator: fails-once, parallelism: 2, configuration: {failed: '%s'}}
                  - {name: tally, operator: tally, parallelism: 2}
                edges:
                  - {from: numbers, to: step, partitioning: forward}
                  - {from: step, to: tally, partitioning: forward}
                """.formatted(numbers, failing, last, folder.resolve("failed")));
        cluster.await(
                id,
                "running again after the failure",
                LIMIT,
                job -> !job.events().failures().isEmpty()
                        && job.status() == JobStatus.EXECUTING
                        && Cluster.vertex(job, "tally").running() == 2);

        List<TaskLogDetails> logs = logs(new LogFilter(id, Optional.of("step"), Optional.of(1)));
        assertEquals("both attempts of the task: " + logs, 2, logs.size());
        TaskLogDetails first = logs.get(0);
        assertEquals(0, first.attempt().restart());
        assertEquals(1, logs.get(1).attempt().restart());
        Await.until("the log has it all", LIMIT, () -> text(first).contains(" ended: Failed"));
        checkFirstAttempt(text(first));
        assertFalse("of the other attempt", text(logs.get(1)).contains("it fails once"));
        assertTrue(
                "of the other task",
                text(logs(new LogFilter(id, Optional.of("step"), Optional.of(0)))
                                .get(0))
                        .contains("subtask 0 is opened\n"));

        WorkerId lost = first.worker();
        assertTrue(own(lost), own(lost).contains("INFO RunningWorker - worker " + lost + ": up at"));
        assertFalse("printed by a task", own(lost).contains("subtask 1 is opened"));
        assertTrue(Cluster.process(lost).orElseThrow().destroyForcibly());
        Await.until("the worker is gone", LIMIT, () -> !cluster.registered().contains(lost.value()));

        checkFirstAttempt(text(first));
        assertTrue(own(lost).contains("up at"));
        assertTrue(logs(LogFilter.of(id)).contains(first.spanning(0, text(first).length())));
        Files.createFile(last);
        JobDetails ended = cluster.finished(id, LIMIT);
        checkFirstAttempt(text(first));
        assertTrue(
                "the task runs on another worker: " + Cluster.text(ended),
                logs(LogFilter.of(id)).stream().anyMatch(log -> !log.worker().equals(lost)));
    }

    private static void checkFirstAttempt(String text) {
        assertTrue("printed: " + text, text.contains("subtask 1 is opened\n"));
        assertTrue(
                "logged: " + text,
                text.matches("(?s).*20\\d\\d-\\d\\d-\\d\\dT\\S+ \\[.*] INFO DataflowRuntime - Task .*"));
        assertTrue(
                "stack: " + text,
                text.contains("java.lang.IllegalStateException: it fails once\n\tat "
                        + "io.berth.itests.operators.FailsOnce"));
    }

    private List<TaskLogDetails> logs(LogFilter filter) throws Exception {
        return Cluster.await(operations.taskLogs(filter)).logs();
    }

    private String text(TaskLogDetails log) throws Exception {
        return read(log.worker(), LogRequest.ofTask(log.attempt().job(), log.log(), 0, LogFolder.MAX_READ));
    }

    private String own(WorkerId worker) throws Exception {
        return read(worker, LogRequest.ofWorker(0, LogFolder.MAX_READ));
    }

    private String read(WorkerId worker, LogRequest request) throws Exception {
        LogPart part = Cluster.await(operations.readLog(worker, request))
                .orElseThrow(() -> new AssertionError("no log " + request + " of " + worker));
        return new String(part.content(), StandardCharsets.UTF_8);
    }
}
