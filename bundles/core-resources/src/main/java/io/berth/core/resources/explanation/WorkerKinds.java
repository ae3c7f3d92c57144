package io.berth.core.resources.explanation;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.ClusterCapacity.Workers;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.ArrayList;
import java.util.HashMap;
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

    /** By pool. */
    private final Map<String, Map<Workers, Integer>> counts = new HashMap<>();
    /** The last list of each pool that did not change since. */
    private final Map<String, List<Workers>> listed = new HashMap<>();
    /** The pool in which the worker at each index is counted. */
    private final List<String> pools = new ArrayList<>();

    private long visits;

    WorkerKinds(WorkerRegistry workers) {
        this.workers = workers;
    }

    /** A snapshot of the present capacity of a pool. The list of its workers is the same while none has changed. */
    ClusterCapacity capacity(String pool, WorkerDemand backends) {
        workers.eachUncounted(this::visit);
        List<Workers> kinds = listed.computeIfAbsent(pool, changed -> list(of(changed)));
        List<ClusterCapacity.Spec> specs =
                backends.specs(pool).stream().map(spec -> spec(backends, spec)).toList();
        return new ClusterCapacity(backends.pools().size() > 1 ? pool : "", noStarts(pool, backends), kinds, specs);
    }

    private static Reason noStarts(String pool, WorkerDemand backends) {
        Optional<PoolDefinition> there = backends.pool(pool);
        if (there.filter(PoolDefinition::startsWorkers).isEmpty()) {
            return Reason.of(
                    ReasonCode.POOL_LIMIT,
                    "no worker is started for pool " + pool + ": etc/io.berth.pool-" + pool
                            + ".cfg has workers.start = false");
        }
        String members = there.filter(definition -> !definition.isDefault())
                .map(definition -> definition.members().equals(PoolDefinition.Members.NONE)
                        ? ", whose file selects no workers"
                        : ", whose file selects " + definition.membersText())
                .orElse("");
        return Reason.of(
                ReasonCode.NO_BACKEND,
                "no backend offers to start workers"
                        + (backends.pools().size() > 1 ? " of pool " + pool : "")
                        + members);
    }

    private static List<Workers> list(Map<Workers, Integer> counts) {
        List<Workers> kinds = new ArrayList<>(counts.size());
        counts.forEach((kind, count) -> kinds.add(kind.counting(count)));
        return List.copyOf(kinds);
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
            pools.add(PoolDefinition.DEFAULT_NAME);
        }
        Optional<Workers> now = workers.at(index).map(Workers::of);
        String pool = workers.at(index).map(worker -> worker.pool().name()).orElse(PoolDefinition.DEFAULT_NAME);
        String poolBefore = pools.set(index, pool);
        listed.remove(pool);
        listed.remove(poolBefore);
        counted.set(index, now).ifPresent(before -> of(poolBefore).merge(before, -1, WorkerKinds::sum));
        now.ifPresent(worker -> of(pool).merge(worker, 1, WorkerKinds::sum));
    }

    private Map<Workers, Integer> of(String pool) {
        return counts.computeIfAbsent(pool, added -> new LinkedHashMap<>());
    }

    /** Null if none is left. */
    private static @Nullable Integer sum(Integer count, Integer change) {
        return count + change == 0 ? null : Integer.valueOf(count + change);
    }
}
