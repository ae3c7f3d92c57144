package io.berth.ops.shell.job;

import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.JobIdCompleter;
import java.util.Locale;
import java.util.Map;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** End a job. */
@Service
@Command(scope = "berth", name = "job-cancel", description = "End a job")
public final class JobCancelCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Argument(name = "job", required = true, description = "Id of the job")
    @Completion(JobIdCompleter.class)
    private String job = "";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        CancelResult result =
                Answers.await(Answers.ofDispatcher(jobOperations).cancel(Answers.jobId(job), "canceled in the shell"));
        if (result == CancelResult.UNKNOWN) {
            throw new IllegalArgumentException("no job '" + job + "': see berth:job-list");
        }
        if (json) {
            Answers.print(Map.of("id", job, "result", result.name().toLowerCase(Locale.ROOT)));
        } else {
            Answers.out()
                    .println(
                            result == CancelResult.CANCELING
                                    ? "Job " + job + " is being canceled"
                                    : "Job " + job + " has already ended");
        }
        return null;
    }
}
