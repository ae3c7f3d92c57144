package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import io.berth.ops.shell.console.WorkerIdCompleter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.jspecify.annotations.Nullable;

/** Changes labels or taints of workers, and prints what they have then. */
abstract class WorkerLabelling implements Action {

    @Reference(optional = true)
    private @Nullable ClusterOperations clusterOperations;

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
            description = "KEY=VALUE sets the value of the key, KEY- removes the key")
    private List<String> changes = new ArrayList<>();

    @Option(name = "-j", aliases = "--json", description = "Print JSON")
    private boolean json;

    /**
     * The values to set.
     *
     * @param removed receives the keys to remove
     */
    static SortedMap<String, String> set(List<String> changes, List<String> removed) {
        SortedMap<String, String> set = new TreeMap<>();
        for (String change : changes) {
            int equals = change.indexOf('=');
            if (equals > 0) {
                set.put(change.substring(0, equals), change.substring(equals + 1));
            } else if (equals < 0 && change.endsWith("-") && change.length() > 1) {
                removed.add(change.substring(0, change.length() - 1));
            } else {
                throw new IllegalArgumentException("'" + change + "': allowed is KEY=VALUE, or KEY- to remove it");
            }
        }
        return set;
    }

    abstract LabelChange change(List<String> changes);

    @Override
    public final @Nullable Object execute() throws Exception {
        List<RelabeledWorker> workers = Answers.relabeled(
                Answers.await(Answers.ofDispatcher(clusterOperations).relabel(worker, change(changes))));
        if (json) {
            Answers.print(workers);
            return null;
        }
        for (RelabeledWorker each : workers) {
            Answers.out()
                    .println("Worker " + each.worker() + ": labels "
                            + text(each.attributes().labels()) + ", taints "
                            + text(each.attributes().taints())
                            + (each.problem().isEmpty() ? "" : "; " + each.problem()));
        }
        return null;
    }

    private static String text(SortedMap<String, String> pairs) {
        return pairs.isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        pairs.entrySet().stream()
                                .map(pair -> pair.getKey() + "=" + pair.getValue())
                                .toList());
    }
}
