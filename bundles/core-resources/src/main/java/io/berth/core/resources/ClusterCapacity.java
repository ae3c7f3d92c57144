package io.berth.core.resources;

import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What workers have and which may be started, as one moment saw it. Immutable: taken on the main thread as a plain copy,
 * counted and looked at elsewhere.
 */
record ClusterCapacity(List<Workers> workers, List<Spec> specs) {

    enum Standing {
        /** Takes slots, now or as soon as it has registered. */
        OPEN,
        /** Pending, and a plan has slots on it already. */
        TAKEN,
        BLOCKED,
        RELEASING
    }

    /**
     * Workers that are alike.
     *
     * @param spec of a pending one, as BACKEND/SPEC; empty else
     */
    record Workers(
            Standing standing,
            ResourceProfile total,
            ResourceProfile free,
            ResourceProfile defaultSlot,
            String spec,
            int count) {

        private Workers counting(int more) {
            return new Workers(standing, total, free, defaultSlot, spec, count + more);
        }
    }

    /**
     * A kind of worker that can be started.
     *
     * @param name as BACKEND/SPEC
     * @param there how many there are of it, pending ones included
     * @param left how many more there may be
     */
    record Spec(String name, ResourceProfile total, ResourceProfile defaultSlot, int there, int left) {}

    ClusterCapacity {
        workers = List.copyOf(workers);
        specs = List.copyOf(specs);
    }

    /** A copy of what is there now: one entry for each worker. Main thread. */
    static ClusterCapacity of(WorkerRegistry registry, Backends backends) {
        List<Workers> workers = new ArrayList<>();
        for (WorkerEntry worker : registry.all()) {
            boolean pending = worker.state() == WorkerEntry.State.PENDING;
            workers.add(new Workers(
                    standing(worker),
                    worker.total(),
                    worker.free(),
                    worker.defaultSlot(),
                    pending ? Backends.key(worker.backend, worker.spec) : "",
                    1));
        }
        List<Spec> specs = backends.specs().stream()
                .map(spec -> new Spec(
                        Backends.key(spec.backend(), spec.spec()),
                        spec.total(),
                        spec.defaultSlot(),
                        registry.ofSpec(Backends.key(spec.backend(), spec.spec())).all(),
                        spec.left()))
                .toList();
        return new ClusterCapacity(workers, specs);
    }

    private static Standing standing(WorkerEntry worker) {
        return switch (worker.state()) {
            case RELEASING -> Standing.RELEASING;
            case PENDING -> worker.planned() > 0 ? Standing.TAKEN : Standing.OPEN;
            case REGISTERED -> worker.blocked() ? Standing.BLOCKED : Standing.OPEN;
        };
    }

    /** The same with workers that are alike counted together: as long as there are different ones. */
    ClusterCapacity counted() {
        Map<Workers, Integer> counts = new LinkedHashMap<>();
        workers.forEach(worker -> counts.merge(worker.counting(-worker.count()), worker.count(), Integer::sum));
        List<Workers> together = new ArrayList<>(counts.size());
        counts.forEach((worker, count) -> together.add(worker.counting(count)));
        return new ClusterCapacity(together, specs);
    }

    /** Pending workers of a spec that a plan has slots on. */
    int starting(String spec) {
        return workers.stream()
                .filter(worker -> worker.standing() == Standing.TAKEN && worker.spec().equals(spec))
                .mapToInt(Workers::count)
                .sum();
    }
}
