package io.berth.core.resources.explanation;

import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.ClusterCapacity.Workers;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Counts workers of each kind, that is, with the same size, free resources and standing. It remembers the kind of each
 * worker, so it only visits workers that changed. Confined to the main thread.
 */
final class WorkerKinds {

    private final WorkerRegistry workers;
    /** The counted kind of the worker at each index. */
    private final List<Optional<Workers>> counted = new ArrayList<>();

    private final Map<Workers, Integer> counts = new LinkedHashMap<>();
    private long visits;

    WorkerKinds(WorkerRegistry workers) {
        this.workers = workers;
    }

    /** A snapshot of the present capacity. */
    ClusterCapacity capacity(WorkerDemand backends) {
        workers.eachUncounted(this::visit);
        List<Workers> kinds = new ArrayList<>(counts.size());
        counts.forEach((kind, count) -> kinds.add(kind.counting(count)));
        List<ClusterCapacity.Spec> specs =
                backends.specs().stream().map(spec -> spec(backends, spec)).toList();
        return new ClusterCapacity(kinds, specs);
    }

    private ClusterCapacity.Spec spec(WorkerDemand backends, SpecColumn spec) {
        String kind = WorkerEntry.kind(spec.backend(), spec.spec());
        return new ClusterCapacity.Spec(
                kind,
                spec.total(),
                spec.defaultSlot(),
                spec.labels(),
                workers.ofSpec(kind).all(),
                spec.left(),
                backends.reports().pausedBecause(spec.backend(), spec.spec()).orElse(""),
                backends.reports().queued(kind));
    }

    /** How many workers were visited, ever. */
    long visits() {
        return visits;
    }

    private void visit(int index) {
        visits++;
        while (counted.size() <= index) {
            counted.add(Optional.empty());
        }
        Optional<Workers> now = workers.at(index).map(Workers::of);
        counted.set(index, now).ifPresent(before -> counts.merge(before, -1, WorkerKinds::sum));
        now.ifPresent(worker -> counts.merge(worker, 1, WorkerKinds::sum));
    }

    /** Null if none is left. */
    private static @Nullable Integer sum(Integer count, Integer change) {
        return count + change == 0 ? null : Integer.valueOf(count + change);
    }
}
