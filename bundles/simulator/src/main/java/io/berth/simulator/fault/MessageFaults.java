package io.berth.simulator.fault;

import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.Network.Message;
import io.berth.simulator.network.Operator;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;

/**
 * Draws what happens to messages: a small share of all messages suffers some operator, and a larger share of one kind,
 * the target, suffers one operator. The target changes with the seed, so that many seeds reach each cell of the table.
 */
public final class MessageFaults implements Interference {

    /** Share of the messages other than heartbeats that suffer an operator. */
    static final double SHARE = 0.01;
    /** The same share for heartbeats, which are most of the messages. */
    static final double SHARE_OF_HEARTBEATS = 0.001;
    /** Share of the target kind that the target operator is applied to. */
    static final double SHARE_OF_TARGET = 0.3;
    /**
     * How many messages of a side target suffer in each storm: always the first one, and each of the next with this
     * share.
     */
    static final int SIDE_TARGET_MESSAGES = 3;

    static final double SHARE_OF_SIDE_TARGET = 0.5;
    /** How many messages may wait for a death or another epoch at the same time. */
    static final int MAX_WAITING = 20;

    /** One cell of the table. */
    public record Target(int kind, Operator operator) {}

    private static final long DEATH_NANOS = 2 * VirtualTime.SECOND;

    private final World world;
    private final RandomGenerator random;
    private final IntPredicate happens;
    private final List<Message> awaitingDeath = new ArrayList<>();
    private final List<Message> awaitingEpoch = new ArrayList<>();
    private List<Target> targets = List.of();
    private List<Target> sides = List.of();
    private int[] sidesMet = {};
    private int operations;
    private double strength;
    private boolean active;

    /** @param happens whether the operation with this number, counted from 1, is applied */
    public MessageFaults(World world, RandomGenerator random, IntPredicate happens) {
        this.world = world;
        this.random = random;
        this.happens = happens;
    }

    /** @param factor applied to the shares of messages that are not a target */
    public void begin(double factor) {
        strength = factor;
        active = true;
        sidesMet = new int[sides.size()];
    }

    /** How many operations there were, including those that were skipped. */
    public int operations() {
        return operations;
    }

    public void end() {
        active = false;
    }

    public void targets(List<Target> cells) {
        targets = List.copyOf(cells);
    }

    /** Sets the cells of which a few messages suffer. */
    public void sideTargets(List<Target> cells) {
        sides = List.copyOf(cells);
        sidesMet = new int[sides.size()];
    }

    @Override
    public Optional<Operator> on(Message message) {
        return active ? drawn(message).filter(operator -> happens.test(++operations)) : Optional.empty();
    }

    private Optional<Operator> drawn(Message message) {
        for (Target target : targets) {
            if (target.kind() == message.kind) {
                double share = target.operator() == Operator.AFTER_DEATH ? SHARE_OF_TARGET / 10 : SHARE_OF_TARGET;
                if (random.nextDouble() < share / Math.max(1, targets.size() / 4)) {
                    return allowed(target.operator());
                }
            }
        }
        for (int side = 0; side < sidesMet.length; side++) {
            Target target = sides.get(side);
            if (target.kind() == message.kind
                    && sidesMet[side] < SIDE_TARGET_MESSAGES
                    && (sidesMet[side] == 0 || random.nextDouble() < SHARE_OF_SIDE_TARGET)) {
                sidesMet[side]++;
                return allowed(target.operator());
            }
        }
        if (random.nextDouble() >= strength * (message.isHeartbeat() ? SHARE_OF_HEARTBEATS : SHARE)) {
            return Optional.empty();
        }
        // Deaths are separate faults.
        int operator =
                random.nextInt(20) == 0 ? Operator.AFTER_DEATH.ordinal() : random.nextInt(Operator.values().length);
        return allowed(Operator.values()[operator]);
    }

    private Optional<Operator> allowed(Operator operator) {
        boolean full = operator == Operator.AFTER_DEATH && awaitingDeath.size() >= MAX_WAITING
                || operator == Operator.OLD_EPOCH && awaitingEpoch.size() >= MAX_WAITING;
        return full ? Optional.empty() : Optional.of(operator);
    }

    @Override
    public void awaitsDeath(Message message) {
        awaitingDeath.add(message);
        world.time.in(random.nextLong(DEATH_NANOS), What.WORLD, world.outside, () -> world.kill(message.sender));
    }

    @Override
    public void awaitsEpoch(Message message) {
        awaitingEpoch.add(message);
    }

    @Override
    public void died(Incarnation process) {
        awaitingDeath.removeIf(message -> {
            if (message.sender == process) {
                world.network.arriveIn(message, random.nextLong(3 * VirtualTime.SECOND));
                return true;
            }
            return false;
        });
        epochChanged();
    }

    /** A process has another epoch: copies of earlier messages arrive again, some of them later. */
    @Override
    public void epochChanged() {
        for (Message message : List.copyOf(awaitingEpoch)) {
            if (random.nextInt(4) > 0) {
                awaitingEpoch.remove(message);
                world.network.arriveIn(message, random.nextLong(8 * VirtualTime.SECOND));
            }
        }
    }

    /** Stops holding messages back. */
    public void release() {
        awaitingDeath.forEach(message -> world.network.arriveIn(message, random.nextLong(VirtualTime.SECOND)));
        awaitingEpoch.forEach(message -> world.network.arriveIn(message, random.nextLong(VirtualTime.SECOND)));
        awaitingDeath.clear();
        awaitingEpoch.clear();
    }
}
