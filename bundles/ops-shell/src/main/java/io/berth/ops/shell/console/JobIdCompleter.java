package io.berth.ops.shell.console;

import io.berth.core.api.operations.JobOperations;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.jspecify.annotations.Nullable;

/** Completes ids of jobs. */
@Service
public final class JobIdCompleter implements Completer {

    @Reference(optional = true)
    private @Nullable JobOperations jobOperations;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        if (jobOperations == null) {
            return -1;
        }
        List<String> ids = Answers.await(jobOperations.jobs()).stream()
                .map(job -> job.id().value())
                .toList();
        return new StringsCompleter(ids).complete(session, line, candidates);
    }
}
