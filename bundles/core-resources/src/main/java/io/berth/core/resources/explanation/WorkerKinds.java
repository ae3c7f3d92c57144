package io.berth.core.resources.explanation;

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
 * How many workers there are of each kind: of the same size, with as much of it free, standing alike. Keeps what it
 * counted of each worker, so that it looks only at those that changed since. Confined to the main thread.
 */
final class WorkerKinds {

    private final WorkerRegistry workers;
    /** What was counted of the worker at an index. */
    private final List<Optional<Workers>> counted = new ArrayList<>();

    private final Map<Workers, Integer> counts = new LinkedHashMap<>();
    private long looks;

    WorkerKinds(WorkerRegistry workers) {
        this.workers = workers;
    }

    /** What there is now. */
    ClusterCapacity capacity(WorkerDemand backends) {
        workers.eachUncounted(this::look);
        List<Workers> kinds = new ArrayList<>(counts.size());
        counts.forEach((kind, count) -> kinds.add(kind.counting(count)));
        List<ClusterCapacity.Spec> specs = backends.specs().stream()
                .map(spec -> new ClusterCapacity.Spec(
                        WorkerEntry.kind(spec.backend(), spec.spec()),
                        spec.total(),
                        spec.defaultSlot(),
                        workers.ofSpec(WorkerEntry.kind(spec.backend(), spec.spec()))
                                .all(),
                        spec.left()))
                .toList();
        return new ClusterCapacity(kinds, specs);
    }

    /** How many workers were looked at, ever. */
    long looks() {
        return looks;
    }

    private void look(int index) {
        looks++;
        while (counted.size() <= index) {
            counted.add(Optional.empty());
        }
        Optional<Workers> now = workers.at(index).map(Workers::of);
        counted.set(index, now).ifPresent(before -> counts.merge(before, -1, WorkerKinds::sum));
        now.ifPresent(worker -> counts.merge(worker, 1, WorkerKinds::sum));
    }

    /** Nothing when none is left. */
    private static @Nullable Integer sum(Integer count, Integer change) {
        return count + change == 0 ? null : Integer.valueOf(count + change);
    }
}
