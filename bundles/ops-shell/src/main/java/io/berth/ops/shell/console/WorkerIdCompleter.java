package io.berth.ops.shell.console;

import io.berth.core.api.operations.ClusterOperations;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.jspecify.annotations.Nullable;

/** Completes ids of workers. */
@Service
public final class WorkerIdCompleter implements Completer {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Override
    public int complete(Session session, CommandLine line, List<String> candidates) {
        if (clusterOperations == null) {
            return -1;
        }
        List<String> ids = Answers.await(clusterOperations.cluster()).workers().stream()
                .map(worker -> worker.id())
                .toList();
        return new StringsCompleter(ids).complete(session, line, candidates);
    }
}
