package io.berth.ops.shell.cluster;

import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.ops.shell.console.Answers;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Changes labels or taints of workers, and prints what they have then. */
final class WorkerLabelling {

    private WorkerLabelling() {}

    static LabelChange labels(List<String> changes) {
        List<String> removed = new ArrayList<>();
        return new LabelChange(set(changes, removed), removed, new TreeMap<>(), List.of());
    }

    static LabelChange taints(List<String> changes) {
        List<String> removed = new ArrayList<>();
        return new LabelChange(new TreeMap<>(), List.of(), set(changes, removed), removed);
    }

    private static SortedMap<String, String> set(List<String> changes, List<String> removed) {
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

    static void change(ClusterOperations operations, String worker, LabelChange change, boolean json) throws Exception {
        List<RelabeledWorker> workers = Answers.relabeled(Answers.await(operations.relabel(worker, change)));
        if (json) {
            Answers.print(workers);
            return;
        }
        for (RelabeledWorker each : workers) {
            Answers.out()
                    .println("Worker " + each.worker() + ": labels "
                            + text(each.attributes().labels()) + ", taints "
                            + text(each.attributes().taints())
                            + (each.problem().isEmpty() ? "" : "; not changed: " + each.problem()));
        }
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
