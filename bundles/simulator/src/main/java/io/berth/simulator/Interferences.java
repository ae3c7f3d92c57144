package io.berth.simulator;

import io.berth.simulator.Network.Interference;
import io.berth.simulator.Network.Message;
import java.util.Optional;

/** Interferences that are not drawn. */
final class Interferences {

    private Interferences() {}

    /** Nothing is done to messages. */
    static Interference none() {
        return new Interference() {
            @Override
            public Optional<Operator> on(Message message) {
                return Optional.empty();
            }

            @Override
            public void awaitsDeath(Message message) {}

            @Override
            public void awaitsEpoch(Message message) {}
        };
    }
}
