package io.berth.ops.shell.job;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.operations.JobOperations;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List all jobs, ended ones included. */
@Service
@Command(scope = "berth", name = "job-list", description = "List all jobs, ended ones included")
public final class JobListCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<JobDetails> jobs =
                Answers.await(Answers.ofDispatcher(jobOperations).jobs());
        if (json) {
            Answers.print(jobs);
            return null;
        }
        ShellTable table = Answers.table("Id", "Name", "State", "Why", "Queue", "Slots", "Restarts", "Reason");
        for (JobDetails job : jobs) {
            table.addRow()
                    .addContent(
                            job.id(),
                            job.name(),
                            job.status().label(),
                            JobReport.why(job),
                            job.queue(),
                            job.slots().size(),
                            job.restarts(),
                            job.reason());
        }
        table.print(Answers.out());
        return null;
    }
}
