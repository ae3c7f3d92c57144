package io.berth.core.resources.explanation;

import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.ResourceProfile;
import java.util.List;

/**
 * What workers have and which may be started, as one moment saw it: workers that are alike counted together. Immutable;
 * see {@link WorkerKinds}.
 */
record ClusterCapacity(List<Workers> workers, List<Spec> specs) {

    enum Standing {
        /** Takes slots, now or as soon as it has registered. */
        OPEN,
        /** Pending, and a plan has slots on it already. */
        TAKEN,
        BLOCKED,
        RELEASING;

        private static Standing of(WorkerEntry worker) {
            return switch (worker.state()) {
                case RELEASING -> RELEASING;
                case PENDING -> worker.planned() > 0 ? TAKEN : OPEN;
                case REGISTERED -> worker.blocked() ? BLOCKED : OPEN;
            };
        }
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

        /** One worker, as it is now. Main thread. */
        static Workers of(WorkerEntry worker) {
            boolean pending = worker.state() == WorkerEntry.State.PENDING;
            return new Workers(
                    Standing.of(worker),
                    worker.total(),
                    worker.free(),
                    worker.defaultSlot(),
                    pending ? worker.kind : "",
                    1);
        }

        /** So many that are like it. */
        Workers counting(int workers) {
            return new Workers(standing, total, free, defaultSlot, spec, workers);
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

    /** Pending workers of a spec that a plan has slots on. */
    int starting(String spec) {
        return workers.stream()
                .filter(worker ->
                        worker.standing() == Standing.TAKEN && worker.spec().equals(spec))
                .mapToInt(Workers::count)
                .sum();
    }
}
