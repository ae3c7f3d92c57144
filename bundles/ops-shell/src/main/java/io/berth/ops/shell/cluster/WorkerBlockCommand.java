package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.time.TimeText;
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

/** Block a worker: it takes no slots for some time. */
@Service
@Command(scope = "berth", name = "worker-block", description = "Block a worker: it takes no slots for some time")
public final class WorkerBlockCommand implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Argument(
            name = "worker",
            required = true,
            description = "Id or address of the worker: HOST:PORT, or HOST for all there")
    @Completion(WorkerIdCompleter.class)
    private String worker = "";

    @Option(
            name = "--for",
            required = true,
            description = "Required. How long: a number with s, m, h or d, for example 10m")
    private String duration = "";

    @Option(name = "--reason", required = true, description = "Required. Why, for people")
    private String reason = "";

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<WorkerBlock> blocks = Answers.blocks(
                Answers.await(Answers.ofDispatcher(clusterOperations).block(worker, duration, reason)));
        if (json) {
            Answers.print(blocks);
        } else {
            blocks.forEach(block -> Answers.out()
                    .println("Worker " + block.worker() + " takes no slots for " + TimeText.of(block.millis()) + ": "
                            + block.reason()));
        }
        return null;
    }
}
