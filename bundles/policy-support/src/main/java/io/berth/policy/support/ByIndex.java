package io.berth.policy.support;

/** Workers by their index, each of which is filled before the next one. */
public final class ByIndex implements SlotPlacement.Order {

    @Override
    public void changed(int worker, FreeRoom room) {
        // The index of a worker does not change.
    }

    @Override
    public int next(FittingWorkers fitting) {
        return fitting.first();
    }

    @Override
    public boolean fills() {
        return true;
    }
}
