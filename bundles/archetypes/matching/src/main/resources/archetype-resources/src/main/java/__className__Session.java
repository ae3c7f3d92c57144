package ${package};

import io.berth.policy.support.FittingWorkers;
import io.berth.policy.support.FreeRoom;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.WorkerSet;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * An order of workers; {@link SlotPlacement} does the rest. Keeps the set of workers that have the label, so that a call
 * looks only at what changed.
 */
final class ${className}Session implements PlacementSession {

    private static final class LabeledFirst implements SlotPlacement.Order {

        private final WorkersView workers;
        private final String label;
        private final String value;
        private final WorkerSet labeled = new WorkerSet();

        LabeledFirst(WorkersView workers, String label, String value) {
            this.workers = workers;
            this.label = label;
            this.value = value;
        }

        @Override
        public void changed(int worker, FreeRoom room) {
            boolean has = room.registered(worker)
                    && workers.label(worker, label)
                            .filter(found -> value.isEmpty() || found.equals(value))
                            .isPresent();
            if (has) {
                labeled.add(worker);
            } else {
                labeled.remove(worker);
            }
        }

        @Override
        public int next(FittingWorkers fitting) {
            int worker = fitting.firstOf(labeled);
            return worker >= 0 ? worker : fitting.first();
        }

        @Override
        public boolean fills() {
            return true;
        }
    }

    private final SlotPlacement placement;

    ${className}Session(WorkersView workers, String label, String value) {
        placement = new SlotPlacement(workers, new LabeledFirst(workers, label, value));
    }

    @Override
    public void delta(int[] changed) {
        placement.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        placement.place(admitted, plan);
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
