package io.berth.simulator.fault;

import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Intercepts messages of chosen kinds, or copies of them, and delivers them when a test wants it. */
final class MessageInterceptor implements Interference {

    private record Wish(Operator operator, int count) {}

    private final World world;
    private final MessageKinds kinds = new MessageKinds();
    private final SortedMap<Integer, Wish> wishes = new TreeMap<>();
    private final List<Message> held = new ArrayList<>();
    private int lost;

    /** Intercepts the messages of a world from now on. */
    MessageInterceptor(World world) {
        this.world = world;
        world.network.interference(this);
    }

    /** Holds the next messages of the kind until they are delivered. */
    void hold(String kind, int count) {
        wish(kind, Operator.AFTER_DEATH, count);
    }

    /** Lets the next messages of the kind arrive, and delivers copies later. */
    void copy(String kind, int count) {
        wish(kind, Operator.OLD_EPOCH, count);
    }

    /** Loses the next messages of the kind. */
    void lose(String kind, int count) {
        wish(kind, Operator.LOSE, count);
    }

    private void wish(String kind, Operator operator, int count) {
        wishes.put(kinds.named(kind), new Wish(operator, count));
    }

    /** Stops intercepting. */
    void release() {
        wishes.clear();
    }

    /** How many messages of the kind, or copies of them, are held. */
    long held(String kind) {
        return held.stream().filter(message -> message.name.equals(kind)).count();
    }

    /** How many messages were lost. */
    int lost() {
        return lost;
    }

    /** Delivers all held messages of the kind now. */
    void deliver(String kind) {
        for (Message message : List.copyOf(held)) {
            if (message.name.equals(kind)) {
                held.remove(message);
                world.network.arriveIn(message, VirtualTime.MILLI);
            }
        }
    }

    @Override
    public Optional<Operator> on(Message message) {
        Wish wish = wishes.get(message.kind);
        if (wish == null) {
            return Optional.empty();
        }
        if (wish.count() == 1) {
            wishes.remove(message.kind);
        } else {
            wishes.put(message.kind, new Wish(wish.operator(), wish.count() - 1));
        }
        lost += wish.operator() == Operator.LOSE ? 1 : 0;
        return Optional.of(wish.operator());
    }

    @Override
    public void awaitsDeath(Message message) {
        held.add(message);
    }

    @Override
    public void awaitsEpoch(Message message) {
        held.add(message);
    }
}
