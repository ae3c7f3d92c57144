package io.berth.policy.support.distribution;

import io.berth.policy.support.distribution.ClaimIndex.Claim;
import io.berth.policy.support.distribution.ClaimIndex.Place;
import io.berth.policy.support.distribution.ClaimNode.Kind;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One call of {@link TreeAdmission}: the tree of those that lack slots, and the way through it. */
final class TreeWalk implements TreeAdmission.First {

    /** Slots above a minimum are given in portions of at most this share of the pool. */
    private static final double PORTION = 1.0 / 512;

    /** Does not fit the room by sums; {@code group} is -1 for a minimum. */
    private record Rest(ClaimNode node, int unit, int group, int count) {}

    private final DemandsView demands;
    private final QueuesView queues;
    private final UnitLacks lacks;
    private final PoolShares shares;
    private final Room room;
    private final TreeAdmission.Standing standing;
    private final TreeAdmission.QueueLimit limit;
    private final ExpectedEnds ends;
    private final AdmissionBuilder result;
    private final Reservation reservation;

    private final BitSet parents = new BitSet();
    private final ClaimNode[] nodeOfQueue;
    private final ClaimNode[] ownOfQueue;
    /** Parents before their children. */
    private final List<ClaimNode> nodes = new ArrayList<>();

    /** Queues whose limit is kept for a unit that waits for it. */
    private final BitSet limitKept = new BitSet();
    /** These units, and what they lack. */
    private final SortedMap<Integer, long[]> waitingForLimit = new TreeMap<>();
    /** Units that were admitted before the walk, or for which room is set aside. */
    private final BitSet first = new BitSet();
    /** Units that are admitted no slots above their minimum. */
    private final BitSet withoutAbove = new BitSet();

    private final List<ClaimNode> path = new ArrayList<>();
    private final List<Rest> restMinimums = new ArrayList<>();
    private final List<Rest> restAbove = new ArrayList<>();
    private final long[] amounts;
    /** Slots of one group that follow each other are admitted together. */
    private int unitOfRun = -1;

    private int groupOfRun;
    private int run;

    TreeWalk(
            DemandsView demands,
            UnitLacks lacks,
            PoolShares shares,
            Room room,
            ClaimIndex index,
            TreeAdmission.Standing standing,
            TreeAdmission.QueueLimit limit,
            ExpectedEnds ends,
            boolean reserves,
            AdmissionBuilder result) {
        this.demands = demands;
        this.queues = demands.queues();
        this.lacks = lacks;
        this.shares = shares;
        this.room = room;
        this.standing = standing;
        this.limit = limit;
        this.ends = ends;
        this.reservation = new Reservation(demands, lacks, room, ends, reserves, result);
        this.result = result;
        this.amounts = new long[demands.dimensions()];
        this.nodeOfQueue = new ClaimNode[queues.size()];
        this.ownOfQueue = new ClaimNode[queues.size()];
        for (int queue = 1; queue < queues.size(); queue++) {
            parents.set(queues.parent(queue));
        }
        for (Claim claim : index.lacking()) {
            add(claim, index);
        }
    }

    private void add(Claim claim, ClaimIndex index) {
        List<Integer> units = new ArrayList<>();
        for (Place place : claim.lacking()) {
            // Room may also be kept for one that found no place in an earlier round of this decision.
            if (demands.candidate(place.unit()) || reservation.isOpen() && lacks.lacksMinimum(place.unit())) {
                units.add(place.unit());
            }
        }
        int queue = claim.claimant().queue();
        ClaimNode parent = parents.get(queue) ? own(queue) : node(queue);
        add(new ClaimNode(
                Kind.CLAIMANT,
                parent,
                queue,
                claim.claimant().name(),
                nodes.size(),
                index.used(claim),
                new ClaimLeaf(demands, units)));
    }

    private ClaimNode add(ClaimNode node) {
        nodes.add(node);
        return node;
    }

    private ClaimNode node(int queue) {
        ClaimNode known = nodeOfQueue[queue];
        if (known != null) {
            return known;
        }
        ClaimNode parent = queue == 0 ? null : node(queues.parent(queue));
        ClaimNode node = add(
                new ClaimNode(Kind.QUEUE, parent, queue, queues.name(queue), nodes.size(), usedBefore(queue), null));
        nodeOfQueue[queue] = node;
        return node;
    }

    private ClaimNode own(int queue) {
        ClaimNode known = ownOfQueue[queue];
        if (known != null) {
            return known;
        }
        long[] used = usedBefore(queue);
        for (int below = queue + 1; below < queues.size(); below++) {
            if (queues.parent(below) == queue) {
                for (int dimension = 0; dimension < used.length; dimension++) {
                    used[dimension] = Math.max(0, used[dimension] - queues.used(below, dimension));
                }
            }
        }
        ClaimNode node = add(new ClaimNode(Kind.OWN, node(queue), queue, queues.name(queue), nodes.size(), used, null));
        ownOfQueue[queue] = node;
        return node;
    }

    private long[] usedBefore(int queue) {
        long[] used = new long[demands.dimensions()];
        for (int dimension = 0; dimension < used.length; dimension++) {
            used[dimension] = queues.used(queue, dimension);
        }
        return used;
    }

    /**
     * A unit has waited too long. When a limit of its queues keeps it from being admitted, smaller units of that queue must
     * not take what is left of the limit.
     */
    boolean hold(int unit, long[] lack) {
        if (isAllowed(unit, lack)) {
            charge(unit, lack);
            first.set(unit);
            return true;
        }
        int queue = queues.find(demands.queue(unit));
        if (!limitKept.get(queue) && couldBeAllowed(unit)) {
            limitKept.set(queue);
            charge(unit, lack);
            waitingForLimit.put(unit, lack.clone());
        }
        return false;
    }

    /** What is kept of limits does not count for those that come before all others: others may return it for them. */
    void beginFirst() {
        waitingForLimit.forEach((unit, lack) -> {
            for (ClaimNode at = nodeOf(unit); at != null; at = at.parent()) {
                for (int dimension = 0; dimension < lack.length; dimension++) {
                    at.used()[dimension] = Math.max(0, at.used()[dimension] - lack[dimension]);
                }
            }
        });
    }

    private boolean couldBeAllowed(int unit) {
        long[] nothing = new long[amounts.length];
        lacks.minimum(unit, amounts);
        for (int queue = queues.find(demands.queue(unit)); queue >= 0; queue = queues.parent(queue)) {
            if (limit.most(queue, nothing, amounts, 1) < 1) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Room room() {
        return room;
    }

    @Override
    public int limiting(int unit, long[] lack) {
        for (int queue = queues.find(demands.queue(unit)); queue >= 0; queue = queues.parent(queue)) {
            if (limit.most(queue, node(queue).used(), lack, 1) < 1) {
                return queue;
            }
        }
        return -1;
    }

    @Override
    public long[] used(int queue) {
        return node(queue).used().clone();
    }

    @Override
    public void admit(int unit, long[] lack, String reason) {
        if (!isAllowed(unit, lack)) {
            // Without its minimum it may have nothing above it.
            deferAbove(unit, reason);
        } else if (demands.candidate(unit)) {
            result.admitMinimum(unit);
        }
        charge(unit, lack);
        room.setAside(lack, reason);
        first.set(unit);
    }

    @Override
    public void admitFitting(int unit, long[] lack) {
        result.admitMinimum(unit);
        charge(unit, lack);
        room.take(lack, 1, ends.end(unit));
        first.set(unit);
    }

    @Override
    public void admitAbove(int unit, int group, int count) {
        result.admit(unit, group, count);
        long[] all = new long[amounts.length];
        lacks.slot(unit, group, amounts);
        Amounts.add(all, count, amounts);
        charge(unit, all);
        withoutAbove.set(unit);
    }

    @Override
    public void deferAbove(int unit, String reason) {
        withoutAbove.set(unit);
        result.defer(unit, reason);
    }

    /** Counts amounts as used, by the claimant too if it has units that may be admitted. */
    private void charge(int unit, long[] lack) {
        for (ClaimNode at = nodeOf(unit); at != null; at = at.parent()) {
            Amounts.add(at.used(), 1, lack);
        }
    }

    private ClaimNode nodeOf(int unit) {
        int queue = queues.find(demands.queue(unit));
        return nodes.stream()
                .filter(one -> one.queue() == queue
                        && one.leaf()
                                .filter(leaf -> leaf.units().contains(unit))
                                .isPresent())
                .findFirst()
                .orElseGet(() -> node(queue));
    }

    void run() {
        waitingForLimit.forEach((unit, lack) -> {
            if (!first.get(unit)) {
                charge(unit, lack);
            }
        });
        // What is kept for a unit that waited too long counts alone.
        if (!room.why().isEmpty()) {
            reservation.close();
        }
        for (int at = nodes.size() - 1; at >= 0; at--) {
            ClaimNode node = nodes.get(at);
            node.leaf().ifPresent(this::begin);
            node.enter(standing);
        }
        ClaimNode root = nodeOfQueue[0];
        while (root != null && root.hasMore()) {
            step(root);
        }
        rest();
        flush();
    }

    private void begin(ClaimLeaf leaf) {
        for (int at = 0; at < leaf.units().size(); at++) {
            int unit = leaf.units().get(at);
            if (!first.get(unit) && lacks.lacksMinimum(unit)) {
                leaf.minimumIsNext(at);
            } else if (demands.candidate(unit) && !withoutAbove.get(unit)) {
                leaf.aboveMayFollow(at);
            }
        }
        leaf.settle();
    }

    private void step(ClaimNode root) {
        path.clear();
        ClaimNode node = root;
        while (!node.isLeaf()) {
            node = node.takeNext();
            path.add(node);
        }
        ClaimLeaf leaf = node.leaf().orElseThrow();
        int count = leaf.isMinimumNext() ? minimum(node, leaf) : above(node, leaf);
        leaf.settle();
        for (int at = path.size() - 1; at >= 0; at--) {
            Amounts.add(path.get(at).used(), count, amounts);
            path.get(at).enter(standing);
        }
        Amounts.add(root.used(), count, amounts);
    }

    /** @return how often {@link #amounts} are admitted */
    private int minimum(ClaimNode node, ClaimLeaf leaf) {
        int unit = leaf.unit();
        lacks.missingMinimum(unit, amounts);
        boolean fits = room.fits(amounts);
        if (!fits && reservation.isOpen() && isAllowed(unit, amounts)) {
            reservation.take(unit, amounts);
        }
        boolean candidate = demands.candidate(unit);
        if (!fits && candidate) {
            restMinimums.add(new Rest(node, unit, -1, 1));
        }
        boolean admitted = fits && candidate && most(node, unit, 1) == 1;
        if (admitted) {
            admitMinimum(unit);
        }
        leaf.minimumDone(admitted && !withoutAbove.get(unit));
        return admitted ? 1 : 0;
    }

    /** @return how often {@link #amounts} are admitted */
    private int above(ClaimNode node, ClaimLeaf leaf) {
        int unit = leaf.unit();
        SlotTurns turns = leaf.turns();
        int group = turns.group();
        lacks.slot(unit, group, amounts);
        double share = shares.dominant(amounts);
        int fits = room.fitting(amounts, turns.turn(share > 0 ? (long) (PORTION / share) : Integer.MAX_VALUE));
        if (fits == 0) {
            restAbove.add(new Rest(node, unit, group, turns.missing()));
            turns.skip();
            return 0;
        }
        int count = most(node, unit, fits);
        if (count == 0) {
            turns.skip();
            return 0;
        }
        admit(unit, group, count);
        turns.take(count);
        return count;
    }

    /** How often, of a number, the unit may be admitted {@link #amounts}. Defers it when that is never. */
    private int most(ClaimNode node, int unit, int count) {
        int most = room.allowed(amounts, count, ends.end(unit));
        if (most == 0) {
            result.defer(unit, room.why());
            return 0;
        }
        for (ClaimNode at = node; at != null; at = at.parent()) {
            if (at.kind() == Kind.QUEUE) {
                most = limit.most(at.queue(), at.used(), amounts, most);
                if (most == 0) {
                    result.defer(unit, limit.words(at.queue(), at.used(), amounts));
                    return 0;
                }
            }
        }
        return most;
    }

    /** What does not fit by sums. The sums are estimates, and what comes before may find no room for other reasons. */
    private void rest() {
        for (Rest one : restMinimums) {
            lacks.missingMinimum(one.unit(), amounts);
            boolean kept = reservation.isFor(one.unit()) && isAllowed(one.unit(), amounts);
            if (!kept && most(one.node(), one.unit(), 1) == 0) {
                continue;
            }
            if (room.fittedAtFirst(amounts)) {
                // Others took the room, so this is why it waits, should it find none.
                ClaimNode node = one.node();
                result.defer(one.unit(), standing.words(node.queue(), node.name(), node.used()));
            }
            if (kept) {
                // Its room is set aside, so it takes none that others may have.
                flush();
                result.admitMinimum(one.unit());
            } else {
                admitMinimum(one.unit());
            }
            addTo(one.node(), 1);
            SlotTurns turns = new SlotTurns(demands, one.unit());
            while (!turns.isEmpty() && !withoutAbove.get(one.unit())) {
                restAbove.add(new Rest(one.node(), one.unit(), turns.group(), turns.missing()));
                turns.skip();
            }
        }
        for (Rest one : restAbove) {
            lacks.slot(one.unit(), one.group(), amounts);
            int count = most(one.node(), one.unit(), one.count());
            if (count > 0) {
                admit(one.unit(), one.group(), count);
                addTo(one.node(), count);
            }
        }
    }

    private void addTo(ClaimNode node, int count) {
        for (ClaimNode at = node; at != null; at = at.parent()) {
            Amounts.add(at.used(), count, amounts);
        }
    }

    private void admitMinimum(int unit) {
        flush();
        result.admitMinimum(unit);
        take(unit, 1);
    }

    private void take(int unit, int count) {
        long end = ends.end(unit);
        room.take(amounts, count, end);
        reservation.admitted(end, amounts, count);
    }

    private void admit(int unit, int group, int count) {
        if (unit != unitOfRun || group != groupOfRun) {
            flush();
            unitOfRun = unit;
            groupOfRun = group;
        }
        run += count;
        take(unit, count);
    }

    private void flush() {
        if (run > 0) {
            result.admit(unitOfRun, groupOfRun, run);
            run = 0;
        }
        unitOfRun = -1;
    }
}
