package io.berth.ops.shell.job;

import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.BoundsText;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.JobIdCompleter;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** Show or change the bounds of the parallelism of a job. */
@Service
@Command(
        scope = "berth",
        name = "job-scale",
        description = "Show the bounds of the parallelism of a job, or change them while it runs")
public final class JobScaleCommand implements Action {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Argument(name = "job", required = true, description = "Id of the job")
    @Completion(JobIdCompleter.class)
    private String job = "";

    @Argument(
            index = 1,
            name = "VERTEX=MIN:MAX",
            multiValued = true,
            description = "New bounds of a vertex: " + BoundsText.ALLOWED + "; other vertices keep theirs")
    private List<String> changes = new ArrayList<>();

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() {
        JobOperations operations = Answers.ofDispatcher(jobOperations);
        JobId id = Answers.jobId(job);
        ParallelismBounds bounds = Answers.await(operations.requirements(id))
                .orElseThrow(() -> new IllegalArgumentException("no job '" + job + "' that runs: see berth:job-list"));
        if (!changes.isEmpty()) {
            List<VertexBounds> changed = BoundsText.apply(bounds.vertices(), changes);
            bounds = applied(
                    Answers.await(operations.changeRequirements(id, OptionalLong.of(bounds.revision()), changed)));
        }
        if (json) {
            Answers.print(bounds);
        } else {
            print(bounds);
        }
        return null;
    }

    private ParallelismBounds applied(RequirementsResult result) {
        if (result instanceof RequirementsResult.Changed changed) {
            return changed.bounds();
        }
        if (result instanceof RequirementsResult.Refused refused) {
            throw new IllegalArgumentException(
                    refused.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")));
        }
        if (result instanceof RequirementsResult.Conflict conflict) {
            throw new IllegalStateException("another change came first: the job has requirements of revision "
                    + conflict.bounds().revision()
                    + ", or a later one is being stored; nothing was changed, check and try again");
        }
        throw new IllegalArgumentException("job '" + job + "' has ended");
    }

    private void print(ParallelismBounds bounds) {
        Answers.out()
                .println("Job " + job + (changes.isEmpty() ? " has" : " now has") + " requirements of revision "
                        + bounds.revision());
        ShellTable table = Answers.table("Vertex", "Minimum", "Desired", "Maximum");
        bounds.vertices()
                .forEach(vertex -> table.addRow()
                        .addContent(vertex.vertex(), vertex.minimum(), vertex.desired(), vertex.maximum()));
        table.print(Answers.out());
    }
}
