package io.berth.ops.shell.job;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.JobOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.JobIdCompleter;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Show one job: requirements, slots, vertices and history. */
@Service
@Command(scope = "berth", name = "job-info", description = "Show one job: requirements, slots, vertices and history")
public final class JobInfoCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Argument(name = "job", required = true, description = "Id of the job")
    @Completion(JobIdCompleter.class)
    private String job = "";

    @Option(
            name = "--history",
            description = "Show what happened to it instead: states, failures with their stack traces, rescales")
    private boolean history;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        JobDetails details = Answers.await(Answers.ofDispatcher(jobOperations).job(Answers.jobId(job)))
                .orElseThrow(() -> new IllegalArgumentException("no job '" + job + "': see berth:job-list"));
        if (json) {
            Answers.print(history ? JobHistoryReport.json(details) : details);
        } else if (history) {
            JobHistoryReport.print(details, Answers.out());
        } else {
            JobReport.print(details, Answers.out());
        }
        return null;
    }
}
