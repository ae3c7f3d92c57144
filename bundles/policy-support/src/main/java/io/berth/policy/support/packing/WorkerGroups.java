package io.berth.policy.support.packing;

import io.berth.spi.matching.WorkersView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The workers of a call, grouped: those of a group have the same room and may take the same kinds of slots. */
final class WorkerGroups {

    private record Likeness(boolean pending, long[] free, long[] total, BitSet excluded) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Likeness that
                    && pending == that.pending
                    && Arrays.equals(free, that.free)
                    && Arrays.equals(total, that.total)
                    && excluded.equals(that.excluded);
        }

        @Override
        public int hashCode() {
            long hash = pending ? 1 : 0;
            for (long amount : free) {
                hash = (hash ^ amount) * 0x9E3779B97F4A7C15L;
                hash ^= hash >>> 32;
            }
            return (int) hash;
        }
    }

    /** Workers with the same room, by index. */
    static final class Group {

        private final Likeness likeness;
        private int[] members = new int[1];
        private int size;
        private int taken;

        private Group(Likeness likeness) {
            this.likeness = likeness;
        }

        private void add(int worker) {
            if (size == members.length) {
                members = Arrays.copyOf(members, size * 2);
            }
            members[size++] = worker;
        }

        long[] free() {
            return likeness.free;
        }

        long[] total() {
            return likeness.total;
        }

        /** Kinds that none of the workers may take. */
        BitSet excluded() {
            return likeness.excluded;
        }

        private int first() {
            return members[0];
        }

        /** How many workers have no pattern yet. */
        int left() {
            return size - taken;
        }

        /** The next workers, which get a pattern. */
        int[] take(int count) {
            taken += count;
            return Arrays.copyOfRange(members, taken - count, taken);
        }

        boolean pending() {
            return likeness.pending;
        }

        boolean hasSlots() {
            return !Arrays.equals(likeness.free, likeness.total);
        }

        /** The largest used share of a dimension. */
        private double fullness() {
            double fullest = 0;
            for (int at = 0; at < likeness.free.length; at++) {
                if (likeness.total[at] > 0) {
                    fullest = Math.max(fullest, 1 - (double) likeness.free[at] / likeness.total[at]);
                }
            }
            return fullest;
        }
    }

    private final Map<Likeness, Group> groups = new HashMap<>();

    /** @param preferred slots that workers have taken already */
    WorkerGroups(WorkersView workers, RequestedSlots requested, PreferredSlots preferred) {
        int[] dimensions = requested.dimensions();
        int[] constrained = constrained(requested);
        BitSet none = new BitSet();
        for (int worker = 0; worker < workers.limit(); worker++) {
            if (!workers.present(worker)) {
                continue;
            }
            long[] left = preferred.left(worker);
            long[] free = new long[dimensions.length];
            boolean room = false;
            for (int at = 0; at < free.length; at++) {
                free[at] = left == null ? workers.free(worker, dimensions[at]) : left[at];
                room |= free[at] > 0;
            }
            if (!room) {
                continue;
            }
            long[] total = new long[dimensions.length];
            for (int at = 0; at < free.length; at++) {
                total[at] = workers.total(worker, dimensions[at]);
            }
            BitSet excluded = constrained.length == 0 ? none : excluded(requested, constrained, worker);
            groups.computeIfAbsent(new Likeness(workers.pending(worker), free, total, excluded), Group::new)
                    .add(worker);
        }
    }

    private static int[] constrained(RequestedSlots requested) {
        int[] kinds = new int[requested.kinds()];
        int count = 0;
        for (int kind = 0; kind < kinds.length; kind++) {
            if (requested.constrained(kind)) {
                kinds[count++] = kind;
            }
        }
        return Arrays.copyOf(kinds, count);
    }

    private static BitSet excluded(RequestedSlots requested, int[] constrained, int worker) {
        BitSet excluded = new BitSet();
        for (int kind : constrained) {
            if (!requested.feasible(kind, worker)) {
                excluded.set(kind);
            }
        }
        return excluded;
    }

    /** No worker has a pattern, as before the first plan. */
    void restart() {
        groups.values().forEach(group -> group.taken = 0);
    }

    /** Workers with slots, the fullest first; then empty ones; then pending ones. */
    List<Group> inOrder() {
        List<Group> order = new ArrayList<>(groups.values());
        order.sort(Comparator.comparing(Group::pending)
                .thenComparing(group -> !group.hasSlots())
                .thenComparing(Comparator.comparingDouble(Group::fullness).reversed())
                .thenComparingInt(group -> group.first()));
        return order;
    }
}
