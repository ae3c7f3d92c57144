package io.berth.ops.shell.cluster;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.WorkerIdCompleter;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Set or remove labels of a worker. */
@Service
@Command(scope = "berth", name = "worker-label", description = "Set or remove labels of a worker, until it ends")
public final class WorkerLabelCommand implements Action {

    @Reference
    private ClusterOperations clusterOperations;

    @Argument(
            name = "worker",
            required = true,
            description = "Id or address of the worker: HOST:PORT, or HOST for all there")
    @Completion(WorkerIdCompleter.class)
    private String worker = "";

    @Argument(
            index = 1,
            name = "changes",
            required = true,
            multiValued = true,
            description = "KEY=VALUE sets the label, KEY- removes it")
    private List<String> changes = new ArrayList<>();

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        WorkerLabelling.change(clusterOperations, worker, WorkerLabelling.labels(changes), json);
        return null;
    }
}
