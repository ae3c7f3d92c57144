package io.berth.core.resources.explanation;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.spi.ResourceProfile;
import java.util.List;

/**
 * A snapshot of workers of a pool and of those that may be started for it. Equal workers are counted together.
 * Immutable; see {@link WorkerKinds}.
 *
 * @param pool its name for texts; empty if there is only one
 * @param noStarts why nothing may be started, if there is no spec
 */
record ClusterCapacity(String pool, Reason noStarts, List<Workers> workers, List<Spec> specs) {

    enum Standing {
        /** Receives slots, now or as soon as it has registered. */
        OPEN,
        /** Pending, and a plan placed slots on it. */
        TAKEN,
        BLOCKED,
        /** Receives no slots, because it leaves. */
        LEAVING,
        RELEASING;

        private static Standing of(WorkerEntry worker) {
            if (worker.leaving().isPresent() && worker.state() != WorkerEntry.State.RELEASING) {
                return LEAVING;
            }
            return switch (worker.state()) {
                case RELEASING -> RELEASING;
                case PENDING -> worker.planned() > 0 ? TAKEN : OPEN;
                case REGISTERED -> worker.blocked() ? BLOCKED : OPEN;
            };
        }
    }

    /**
     * Equal workers.
     *
     * @param spec of pending ones, as BACKEND/SPEC; otherwise empty
     */
    record Workers(
            Standing standing,
            ResourceProfile total,
            ResourceProfile free,
            ResourceProfile defaultSlot,
            WorkerLabels labels,
            String spec,
            int count) {

        /** One worker. Confined to the main thread. */
        static Workers of(WorkerEntry worker) {
            boolean pending = worker.state() == WorkerEntry.State.PENDING;
            return new Workers(
                    Standing.of(worker),
                    worker.total(),
                    worker.free(),
                    worker.defaultSlot(),
                    worker.labels(),
                    pending ? worker.kind : "",
                    1);
        }

        /** The same kind with another count. */
        Workers counting(int workers) {
            return new Workers(standing, total, free, defaultSlot, labels, spec, workers);
        }
    }

    /**
     * A spec of workers that can be started.
     *
     * @param name as BACKEND/SPEC
     * @param there how many exist, including pending ones
     * @param left how many more may be started
     * @param paused why none is requested now, and until when; empty if that is not so
     * @param queued what the cluster manager says about requests that it has queued; empty if nothing
     */
    record Spec(
            String name,
            ResourceProfile total,
            ResourceProfile defaultSlot,
            WorkerLabels labels,
            int there,
            int left,
            String paused,
            String queued) {

        /** One whose starts neither fail nor wait. */
        Spec(
                String name,
                ResourceProfile total,
                ResourceProfile defaultSlot,
                WorkerLabels labels,
                int there,
                int left) {
            this(name, total, defaultSlot, labels, there, left, "", "");
        }
    }

    ClusterCapacity {
        workers = List.copyOf(workers);
        specs = List.copyOf(specs);
    }

    /** What the cluster manager says about queued requests for workers of a spec; empty if nothing. */
    String queued(String spec) {
        return specs.stream()
                .filter(offered -> offered.name().equals(spec))
                .map(Spec::queued)
                .findFirst()
                .orElse("");
    }

    /** How many pending workers of a spec have planned slots. */
    int starting(String spec) {
        return workers.stream()
                .filter(worker ->
                        worker.standing() == Standing.TAKEN && worker.spec().equals(spec))
                .mapToInt(Workers::count)
                .sum();
    }
}
