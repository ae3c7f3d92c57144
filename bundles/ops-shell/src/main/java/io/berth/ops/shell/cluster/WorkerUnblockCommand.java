package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.WorkerIdCompleter;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.jspecify.annotations.Nullable;

/** Let a blocked worker take slots again. */
@Service
@Command(scope = "berth", name = "worker-unblock", description = "Let a blocked worker take slots again")
public final class WorkerUnblockCommand implements Action {

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
        List<WorkerBlock> lifted = Answers.blocks(
                Answers.await(Answers.ofDispatcher(clusterOperations).unblock(worker)));
        if (json) {
            Answers.print(lifted);
        } else {
            lifted.forEach(block -> Answers.out().println("Worker " + block.worker() + " takes slots again"));
        }
        return null;
    }
}
