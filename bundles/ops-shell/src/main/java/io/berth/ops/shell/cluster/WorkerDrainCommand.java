package io.berth.ops.shell.cluster;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.WorkerIdCompleter;
import java.util.Optional;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.jspecify.annotations.Nullable;

/** Drain a worker: it takes no slots, and its jobs move to other workers. */
@Service
@Command(
        scope = "berth",
        name = "worker-drain",
        description =
                "Drain a worker: it takes no slots, its jobs move, and a worker that a backend started is stopped")
public final class WorkerDrainCommand implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Reference
    private @Nullable Session session;

    @Argument(
            name = "worker",
            required = true,
            description = "Id or address of the worker: HOST:PORT, or HOST for all there")
    @Completion(WorkerIdCompleter.class)
    private String worker = "";

    @Option(
            name = "--deadline",
            description = "When jobs restart even without other slots: a number with s, m, h or d, for example 10m."
                    + " Default: they move when they have other slots")
    private @Nullable String deadline;

    @Option(name = "--reason", description = "Why, for people. Default: drained by USER")
    private @Nullable String reason;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        Answers.printDrained(
                Answers.drained(Answers.await(Answers.ofDispatcher(clusterOperations)
                        .drain(worker, Optional.ofNullable(deadline), reason()))),
                json);
        return null;
    }

    private String reason() {
        if (reason != null) {
            return reason;
        }
        Object user = session == null ? null : session.get("USER");
        return "drained by " + (user == null ? "an operator" : user);
    }
}
