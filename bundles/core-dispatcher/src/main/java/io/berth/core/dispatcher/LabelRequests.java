package io.berth.core.dispatcher;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.operations.ClusterOperations.LabelResult;
import io.berth.core.dispatcher.state.DispatcherParts;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Checks an operator's request to give workers other labels, and passes it to the ResourceManager. Stateless.
 * Thread-safe.
 */
final class LabelRequests {

    private LabelRequests() {}

    /** @param resourceManager called only when the request is valid */
    static CompletionStage<LabelResult> relabel(
            String worker, LabelChange change, Supplier<CompletionStage<ResourceManagerGateway>> resourceManager) {
        List<Problem> problems = new ArrayList<>();
        if (worker.isBlank()) {
            problems.add(BlockRequests.noSuchWorker(worker));
        }
        if (change.isEmpty()) {
            problems.add(new Problem("change", "empty", "allowed is at least one label or taint to set or to remove"));
        }
        check("label", change.labels(), change.removedLabels(), problems);
        check("taint", change.taints(), change.removedTaints(), problems);
        if (!problems.isEmpty()) {
            return DispatcherParts.done(new LabelResult.Refused(problems));
        }
        return resourceManager
                .get()
                .thenCompose(gateway -> gateway.relabelWorkers(worker.strip(), change))
                .thenApply(workers -> workers.isEmpty()
                        ? new LabelResult.Refused(List.of(BlockRequests.noSuchWorker(worker)))
                        : new LabelResult.Done(workers));
    }

    private static void check(
            String what, SortedMap<String, String> set, List<String> removed, List<Problem> problems) {
        set.forEach((key, value) -> {
            checkKey(what, key, problems);
            if (value.isBlank()
                    || value.length() > PlacementConstraints.MAX_TEXT
                    || value.chars().anyMatch(Character::isISOControl)) {
                problems.add(new Problem(
                        what + " " + BlockRequests.quoted(key),
                        BlockRequests.quoted(value),
                        "allowed is one line of 1 to " + PlacementConstraints.MAX_TEXT + " characters"));
            }
            if (removed.contains(key)) {
                problems.add(new Problem(
                        what + " " + BlockRequests.quoted(key), "set and removed", "allowed is one of the two"));
            }
        });
        removed.forEach(key -> checkKey(what, key, problems));
    }

    private static void checkKey(String what, String key, List<Problem> problems) {
        if (!WorkerLabels.isKey(key)) {
            problems.add(new Problem("key of a " + what, BlockRequests.quoted(key), WorkerLabels.KEY_ALLOWED));
        } else if (key.startsWith(WorkerLabels.RESERVED)) {
            problems.add(new Problem(
                    "key of a " + what,
                    BlockRequests.quoted(key),
                    "keys with '" + WorkerLabels.RESERVED + "' at the beginning are given by Berth itself"));
        }
    }
}
