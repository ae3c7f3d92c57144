package io.berth.simulator.fault;

import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.time.Incarnation;

/** Something that happens to messages beside something else, to which it passes on what it does not handle itself. */
abstract class FurtherInterference implements Interference {

    final Interference others;

    FurtherInterference(Interference others) {
        this.others = others;
    }

    @Override
    public void awaitsDeath(Message message) {
        others.awaitsDeath(message);
    }

    @Override
    public void awaitsEpoch(Message message) {
        others.awaitsEpoch(message);
    }

    @Override
    public void died(Incarnation process) {
        others.died(process);
    }

    @Override
    public void epochChanged() {
        others.epochChanged();
    }
}
