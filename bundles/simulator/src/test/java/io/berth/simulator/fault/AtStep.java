package io.berth.simulator.fault;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.World;
import java.util.Optional;
import java.util.function.Consumer;

/** Strikes once, when a message of a kind is sent. */
final class AtStep implements Interference {

    /** After this time a message has arrived, and its receiver has acted on it. */
    private static final long ACTED_NANOS = 5 * VirtualTime.MILLI;

    /** Which process of a message fails, and when. */
    enum Struck {
        SENDER,
        RECEIVER_BEFORE,
        RECEIVER_AFTER
    }

    private final World world;
    private final int kind;
    private final Struck struck;
    private final Consumer<Incarnation> blow;
    private int left;

    /** @param number counts the messages of the kind, from 1 */
    AtStep(World world, String kind, int number, Struck struck, Consumer<Incarnation> blow) {
        this.world = world;
        this.kind = new MessageKinds().named(kind);
        this.left = number;
        this.struck = struck;
        this.blow = blow;
        world.network.interference(this);
    }

    boolean isDone() {
        return left == 0;
    }

    @Override
    public Optional<Operator> on(Message message) {
        if (left > 0 && message.kind == kind && --left == 0) {
            Incarnation process = struck == Struck.SENDER ? message.sender : at(message.to);
            long delay = struck == Struck.RECEIVER_AFTER ? ACTED_NANOS : 0;
            world.time.in(delay, What.WORLD, world.outside, () -> blow.accept(process));
        }
        return Optional.empty();
    }

    private Incarnation at(RpcAddress address) {
        return world.network.reachable().stream()
                .filter(there -> there.rpc().address().equals(address))
                .findFirst()
                .orElseThrow()
                .process();
    }

    @Override
    public void awaitsDeath(Message message) {}

    @Override
    public void awaitsEpoch(Message message) {}
}
