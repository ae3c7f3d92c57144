package io.berth.ops.shell.job;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.TaskText;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.JobIdCompleter;
import io.berth.ops.shell.console.WorkerIdCompleter;
import io.berth.spi.WorkerId;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Show what the tasks of a job, or a worker, printed and logged. */
@Service
@Command(
        scope = "berth",
        name = "logs",
        description = "Show what the tasks of a job printed and logged, or the log of a worker, also after their end")
public final class LogsCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Argument(index = 0, name = "job", description = "Id of the job")
    @Completion(JobIdCompleter.class)
    private String job = "";

    @Argument(index = 1, name = "task", description = "Only of this VERTEX, or of this VERTEX.SUBTASK")
    private String task = "";

    @Option(name = "--worker", description = "The own log of this worker instead")
    @Completion(WorkerIdCompleter.class)
    private String worker = "";

    @Option(name = "--attempt", description = "Only of this attempt: EXECUTION or EXECUTION.RESTART")
    private String attempt = "";

    @Option(name = "--tail", description = "Only the last lines of each log, as far as they are in its last 256 KiB")
    private int tail = -1;

    @Option(name = "-j", aliases = "--json", description = "Print the list of the logs of the job as JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        if (job.isEmpty() == worker.isEmpty()) {
            throw new IllegalArgumentException("allowed is either a job or --worker ID");
        }
        ClusterOperations cluster = Answers.ofDispatcher(clusterOperations);
        LogReport report = new LogReport(
                tail < 0 ? Optional.empty() : Optional.of(tail),
                (from, request) -> Answers.await(cluster.readLog(from, request)));
        if (!worker.isEmpty()) {
            report.print(new WorkerId(worker), LogRequest.ofWorker(0, 0), "", Answers.out());
            return null;
        }
        JobDetails details = Answers.await(Answers.ofDispatcher(jobOperations).job(Answers.jobId(job)))
                .orElseThrow(() -> new IllegalArgumentException("no job '" + job + "': see berth:job-list"));
        Optional<TaskText> wanted = task.isEmpty()
                ? Optional.empty()
                : Optional.of(TaskText.of(
                        task,
                        details.vertices().stream().map(VertexDetails::name).toList()));
        LogList list = Answers.await(cluster.taskLogs(
                new LogFilter(details.id(), wanted.map(TaskText::vertex), wanted.flatMap(TaskText::subtask))));
        List<TaskLogDetails> logs = list.logs().stream()
                .filter(log -> attempt.isEmpty() || TaskText.isAttempt(attempt, log.attempt()))
                .toList();
        if (json) {
            Answers.print(new LogList(logs, list.omitted(), list.silent()));
        } else {
            print(report, logs, wanted, Answers.out());
            list.silent()
                    .forEach(silent ->
                            Answers.out().println("worker " + silent + " does not answer: its logs are missing"));
            if (list.omitted() > 0) {
                Answers.out()
                        .println(list.omitted() + " older logs are left out: name a vertex or a subtask to see them");
            }
        }
        return null;
    }

    private void print(LogReport report, List<TaskLogDetails> logs, Optional<TaskText> wanted, PrintStream out) {
        if (logs.isEmpty()) {
            out.println("there is no log: no such task of job " + job + " has begun, or its log was removed");
        }
        boolean epochs = TaskText.haveSeveralEpochs(
                logs.stream().map(TaskLogDetails::attempt).toList());
        for (TaskLogDetails log : logs) {
            String label =
                    logs.size() > 1 ? TaskText.label(log.attempt(), wanted.map(TaskText::vertex), epochs) + " | " : "";
            report.printListed(log.worker(), LogRequest.ofTask(log.attempt().job(), log.log(), 0, 0), label, out);
        }
    }

    /** Reads a part of a log. */
    interface Reading {
        Optional<LogPart> read(WorkerId worker, LogRequest request);
    }
}
