package io.berth.simulator.network;

import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import java.util.Optional;

/** Interferences that are not random. */
public final class Interferences {

    private Interferences() {}

    /** Does nothing to messages. */
    public static Interference none() {
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
