package io.berth.ops.shell.cluster;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.WorkerIdCompleter;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Let a worker that is being drained take slots again. */
@Service
@Command(
        scope = "berth",
        name = "worker-undrain",
        description = "Let a worker that is being drained take slots again; jobs that have not moved yet stay")
public final class WorkerUndrainCommand implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Argument(
            name = "worker",
            required = true,
            description = "Id or address of the worker: HOST:PORT, or HOST for all there")
    @Completion(WorkerIdCompleter.class)
    private String worker = "";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        Answers.printDrained(
                Answers.drained(
                        Answers.await(Answers.ofDispatcher(clusterOperations).undrain(worker))),
                json);
        return null;
    }
}
