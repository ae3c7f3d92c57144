package io.berth.policy.support.distribution;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;

/**
 * Admits fairly along the tree of queues: from the root down, the child with the smallest standing is admitted what its
 * next unit lacks, a minimum or some slots above it, and then has a new standing. What fits the pool by sums is admitted
 * in this order. What does not follows after it, so that no room stays empty that the sums do not show. Units directly in
 * a queue that has queues below it compete with these as if they were in one more queue of weight 1.
 *
 * <p>A call costs n log n for n units that lack slots. It looks at others only to keep room: at those that should end
 * before there is enough.
 */
public final class TreeAdmission implements AdmissionSession {

    /** Who comes first, in the terms of a policy. Among siblings, the smallest number is next. */
    public interface Standing {

        /** A call begins. */
        void begin();

        /**
         * The standing of a queue among its siblings.
         *
         * @param own only the units directly in it, beside the queues below
         * @param used with what this call admitted
         */
        double ofQueue(int queue, boolean own, long[] used);

        /** The standing of a claimant among those of its queue. */
        double ofClaimant(int queue, String name, long[] used);

        /** Why a unit of the claimant has to wait for others that come first, for people. */
        String words(int queue, String claimant, long[] used);
    }

    /** What a queue may have at most, in the terms of a policy. */
    public interface QueueLimit {

        /** How many portions, of so many, the queue may be given. */
        int most(int queue, long[] used, long[] portion, int count);

        /** Why it may not be given one, for people. */
        String words(int queue, long[] used, long[] portion);
    }

    /** What a policy does before the order of the queues counts. */
    public interface Before {

        /** @param first admits units before all others */
        void admit(First first, AdmissionBuilder result);
    }

    /** Admits units before all others. */
    public interface First {

        /** The room of this call. */
        Room room();

        /** Whether the limits of its queues allow what the unit lacks. */
        default boolean isAllowed(int unit, long[] lack) {
            return limiting(unit, lack) < 0;
        }

        /** The lowest queue whose limit does not allow what the unit lacks; -1 when all do. */
        int limiting(int unit, long[] lack);

        /** What the queue uses, with what this call admitted and what is set aside for its units. */
        long[] used(int queue);

        /**
         * Admits the minimum of the unit if it may be admitted in this round and the limits of its queues allow it. Sets
         * its room aside anyway, and counts it as used by its queues.
         */
        void admit(int unit, long[] lack, String reason);

        /** Admits the minimum of a unit that may be admitted and fits the room. Sets no room aside. */
        void admitFitting(int unit, long[] lack);

        /**
         * Admits slots above the minimum of a unit that has its minimum, at most what the group lacks. The unit is
         * admitted no others in this call. Sets no room aside.
         */
        void admitAbove(int unit, int group, int count);

        /** The unit is admitted no slots above its minimum. */
        void deferAbove(int unit, String reason);
    }

    /** Nobody comes before the order of the queues. */
    public static final Before NOBODY = (first, result) -> {};

    /** No queue has a limit. */
    public static final QueueLimit NO_LIMIT = new QueueLimit() {
        @Override
        public int most(int queue, long[] used, long[] portion, int count) {
            return count;
        }

        @Override
        public String words(int queue, long[] used, long[] portion) {
            return "";
        }
    };

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final PoolShares shares;
    private final Room room;
    private final WaitLimit waitLimit;
    private final ClaimIndex index;
    private final Standing standing;
    private final QueueLimit limit;
    private final Before before;
    private int revision;
    private boolean reservesForFirst;

    /**
     * @param shares is brought up to date before each call of the standing
     * @param byPriority whether the units of a claimant come in the order of their priority before that of submission
     */
    public TreeAdmission(
            DemandsView demands,
            PoolShares shares,
            WaitLimit.Limits limits,
            Claimants level,
            boolean byPriority,
            Standing standing,
            QueueLimit limit,
            Before before) {
        this.demands = demands;
        this.lacks = new UnitLacks(demands);
        this.shares = shares;
        this.room = new Room(demands);
        this.waitLimit = new WaitLimit(demands, lacks, limits);
        this.index = new ClaimIndex(demands, lacks, level, byPriority);
        this.standing = standing;
        this.limit = limit;
        this.before = before;
        fill();
    }

    /**
     * From now on, each call keeps room for the first unit in the order that finds none, if it is known when units end that
     * have it (EASY backfilling): others are admitted only when they should end by then, or leave enough.
     */
    public TreeAdmission reservingForFirst() {
        reservesForFirst = true;
        return this;
    }

    private void fill() {
        revision = demands.queues().revision();
        index.clear();
        for (int unit = 0; unit < demands.limit(); unit++) {
            waitLimit.update(unit);
            index.update(unit);
        }
    }

    /** The units that wait for their minimum. */
    public WaitLimit waitLimit() {
        return waitLimit;
    }

    @Override
    public void delta(int[] changed) {
        for (int unit : changed) {
            waitLimit.update(unit);
            index.update(unit);
        }
    }

    @Override
    public void admit(AdmissionBuilder result) {
        if (demands.queues().revision() != revision) {
            fill();
        }
        shares.begin();
        room.begin();
        standing.begin();
        TreeWalk walk = new TreeWalk(
                demands, lacks, shares, room, index, standing, limit, waitLimit.ends(), reservesForFirst, result);
        waitLimit.hold(room, result, walk::hold);
        walk.beginFirst();
        before.admit(walk, result);
        walk.run();
    }

    @Override
    public void close() {
        waitLimit.clear();
        index.clear();
    }
}
