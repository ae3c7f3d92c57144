package io.berth.matching.rebalance;

import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Empties workers, the least used one first: all its slots must find room on fuller workers. A worker of which one slot
 * must stay is left alone, because nothing would be saved.
 */
final class Consolidation implements Search {

    /** Workers that a search tries in vain. */
    private static final int MAX_FAILED = 64;

    private final int moves;
    private final Worth worth;

    Consolidation(int moves, Worth worth) {
        this.moves = moves;
        this.worth = worth;
    }

    private record Step(int slot, int to) {}

    @Override
    public List<Move> find(PoolSlots slots) {
        List<Integer> byUse = IntStream.range(0, slots.workers())
                .filter(slots::isUsed)
                .boxed()
                .sorted(Comparator.comparingDouble(slots::use))
                .toList();
        List<Move> found = new ArrayList<>();
        Set<Integer> receivers = new HashSet<>();
        Set<JobId> moving = new HashSet<>();
        int failed = 0;
        for (int at = 0; at < byUse.size() && failed < MAX_FAILED && found.size() < moves; at++) {
            int from = byUse.get(at);
            List<Step> steps = receivers.contains(from) || slots.on(from).size() > moves - found.size()
                    ? List.of()
                    : steps(slots, from, byUse.subList(at + 1, byUse.size()), moving);
            if (steps.isEmpty()) {
                failed++;
            }
            for (Step step : steps) {
                receivers.add(step.to());
                moving.add(slots.job(step.slot()));
                found.add(new Move(step.slot(), reason(slots, from, steps.size())));
            }
        }
        return found;
    }

    /**
     * Where each slot of a worker would go; empty when one of them must stay or when it does not pay.
     *
     * @param fuller workers, by use
     * @param moving jobs that restart anyway
     */
    private List<Step> steps(PoolSlots slots, int from, List<Integer> fuller, Set<JobId> moving) {
        List<Integer> all = slots.on(from).stream()
                .sorted(Comparator.comparingDouble((Integer slot) -> slots.share(slot, from))
                        .reversed())
                .toList();
        List<Step> steps = new ArrayList<>();
        for (int slot : all) {
            int to = slots.mayMove(slot) ? target(slots, slot, fuller) : -1;
            if (to < 0) {
                steps.forEach(step -> slots.undo(step.slot(), from, step.to()));
                return List.of();
            }
            slots.move(slot, from, to);
            steps.add(new Step(slot, to));
        }
        SortedSet<JobId> jobs = new TreeSet<>(Comparator.comparing(JobId::value));
        steps.forEach(step -> jobs.add(slots.job(step.slot())));
        jobs.removeAll(moving);
        double cost =
                jobs.stream().mapToDouble(job -> slots.cost(job, from, worth)).sum();
        // More than the slots that are shown may be in use there.
        if (slots.use(from) > 0 || !worth.pays(cost, 1)) {
            steps.forEach(step -> slots.undo(step.slot(), from, step.to()));
            return List.of();
        }
        return steps;
    }

    /** The fullest worker that has room. */
    private static int target(PoolSlots slots, int slot, List<Integer> fuller) {
        for (int at = fuller.size() - 1; at >= 0; at--) {
            if (slots.fits(slot, fuller.get(at))) {
                return fuller.get(at);
            }
        }
        return -1;
    }

    private static String reason(PoolSlots slots, int from, int count) {
        return "its worker " + slots.name(from) + " can be released: "
                + (count == 1 ? "this slot fits" : "all its " + count + " slots fit") + " on fuller workers";
    }
}
