package io.berth.simulator.seed;

import io.berth.simulator.world.World;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What is left of a simulation that is shrunk: perhaps a smaller world, and a part of what happened to it. Omitted
 * events are still drawn, so that the rest changes as little as possible.
 *
 * @param shape of the world; empty: the one that the seed draws
 * @param strikes the faults that happen, counted from 1; empty: all
 * @param operations operations on messages, counted from 1; empty: all
 */
public record Part(
        Optional<World.Shape> shape, Optional<SortedSet<Integer>> strikes, Optional<SortedSet<Integer>> operations) {

    public Part {
        strikes = strikes.map(some -> Collections.unmodifiableSortedSet(new TreeSet<>(some)));
        operations = operations.map(some -> Collections.unmodifiableSortedSet(new TreeSet<>(some)));
    }

    static Part whole() {
        return new Part(Optional.empty(), Optional.empty(), Optional.empty());
    }

    Part in(World.Shape smaller) {
        return new Part(Optional.of(smaller), strikes, operations);
    }

    Part withStrikes(SortedSet<Integer> some) {
        return new Part(shape, Optional.of(some), operations);
    }

    Part withOperations(SortedSet<Integer> some) {
        return new Part(shape, strikes, Optional.of(some));
    }

    boolean strikes(int number) {
        return strikes.map(some -> some.contains(number)).orElse(true);
    }

    boolean operates(int number) {
        return operations.map(some -> some.contains(number)).orElse(true);
    }
}
