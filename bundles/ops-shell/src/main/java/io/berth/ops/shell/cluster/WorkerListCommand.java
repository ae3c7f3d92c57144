package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ClusterDetails.WorkerDetails;
import io.berth.core.api.job.SpecText;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.time.TimeText;
import io.berth.ops.shell.console.Answers;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.table.ShellTable;
import org.jspecify.annotations.Nullable;

/** List the workers. */
@Service
@Command(scope = "berth", name = "worker-list", description = "List the workers")
public final class WorkerListCommand implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    @Override
    public @Nullable Object execute() throws Exception {
        List<WorkerDetails> workers =
                Answers.await(Answers.ofDispatcher(clusterOperations).cluster()).workers();
        if (json) {
            Answers.print(workers);
            return null;
        }
        ShellTable table = Answers.table(
                "Id",
                "State",
                "Pool",
                "Backend",
                "Slots",
                "Results",
                "Total",
                "Free",
                "Cost/h",
                "Heard ms ago",
                "Blocked",
                "Leaves",
                "Queued");
        for (WorkerDetails worker : workers) {
            table.addRow()
                    .addContent(
                            worker.id(),
                            worker.state(),
                            worker.pool(),
                            worker.backend(),
                            worker.slots(),
                            worker.results(),
                            worker.total(),
                            worker.free(),
                            SpecText.cost(worker.costPerHour()),
                            worker.lastHeartbeatAgeMillis(),
                            blocked(worker),
                            leaves(worker),
                            queued(worker));
        }
        table.print(Answers.out());
        return null;
    }

    private static String leaves(WorkerDetails worker) {
        if (worker.leavingReason().isEmpty()) {
            return "";
        }
        String when = worker.leavingMillis() < 0 ? "when it is empty" : "within " + TimeText.of(worker.leavingMillis());
        return when + ": " + worker.leavingReason();
    }

    private static String queued(WorkerDetails worker) {
        return worker.queuedReason().isEmpty()
                ? ""
                : "for " + TimeText.of(worker.queuedMillis()) + ": " + worker.queuedReason();
    }

    private static String blocked(WorkerDetails worker) {
        return worker.blockedMillis() == 0 ? "" : TimeText.of(worker.blockedMillis()) + ": " + worker.blockedReason();
    }
}
