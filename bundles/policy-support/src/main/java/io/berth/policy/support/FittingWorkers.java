package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import java.util.Arrays;

/** The workers that have room for a slot of one profile. */
public final class FittingWorkers {

    private static final long SMALL = 1L << 32;
    private static final long NEVER = -1;
    private static final int NONE = Integer.MAX_VALUE;
    private static final int[] NO_GROUPS = {};

    private final FreeRoom room;
    private final FittingIndex registered;
    private final FittingIndex pending;
    private final int number;
    /** What a slot takes of any worker. */
    private final long[] needs;
    /** Number of the constraints; -1 for none. */
    private final int constraints;
    /** Workers that the constraints are known to exclude; shared by all profiles with these constraints. */
    private final WorkerSet excluded;
    /** Whether each worker has its own size for the profile. */
    private final boolean unknown;
    /** The dimensions in which a slot takes something. */
    private final int[] dimensions;

    private long call = NEVER;
    private boolean isNew = true;
    private int numberInCall;
    private int lastCount;
    /** During a call, workers only lose room: no worker before this index fits. */
    private int from;

    private int fromPending;
    /** The same for the preferred workers, in their order. */
    private int fromPreferred;
    /** The worker that the last search found, and at which change of the room. */
    private int found = -1;

    private long foundAt;
    private int mark;
    private int newMark;
    /** What {@link ScarceResources#order} says for this call; empty while it was not asked. */
    private int[] groups = NO_GROUPS;
    /** The entries of the last call, for the unknown profile and for constraints. */
    @SuppressWarnings("NullAway.Init")
    private AdmittedView admitted;

    private int entry;
    private String shortage = "";

    /**
     * @param number of the profile in both indexes
     * @param needs by dimension; empty when they depend on the worker
     * @param constraints number of the constraints; -1 for none
     * @param excluded receives workers that the constraints exclude
     */
    FittingWorkers(
            FreeRoom room,
            FittingIndex registered,
            FittingIndex pending,
            int number,
            long[] needs,
            int constraints,
            WorkerSet excluded) {
        this.room = room;
        this.registered = registered;
        this.pending = pending;
        this.number = number;
        this.needs = needs;
        this.constraints = constraints;
        this.excluded = excluded;
        this.unknown = needs.length == 0;
        int count = 0;
        int[] taking = new int[room.dimensions()];
        for (int dimension = 0; dimension < taking.length; dimension++) {
            if (unknown || needs[dimension] > 0) {
                taking[count++] = dimension;
            }
        }
        this.dimensions = Arrays.copyOf(taking, count);
    }

    int number() {
        return number;
    }

    /** Whether this is the first call that asks for the profile. Then it may fit on any worker. */
    boolean isNew() {
        return isNew;
    }

    /** The first registered worker that fits, by index; -1 when there is none. */
    public int first() {
        int worker = registered.first(this, from);
        from = worker < 0 ? NONE : worker;
        return found(worker);
    }

    /** The first registered worker at or after an index that fits; -1 when there is none. */
    int next(int at) {
        return from == NONE ? -1 : registered.first(this, at);
    }

    /** The first pending worker at or after an index that fits; -1 when there is none. */
    int nextPending(int at) {
        return fromPending == NONE ? -1 : pending.first(this, at);
    }

    private int found(int worker) {
        found = worker;
        foundAt = room.changes();
        return worker;
    }

    /** The first registered worker that fits and is in the set, by index; -1 when there is none. */
    public int firstOf(WorkerSet among) {
        if (from == NONE) {
            return -1;
        }
        int worker = registered.firstOf(this, among);
        if (worker < 0) {
            // Looking at few branches shows whether any worker fits, and the answer holds for the rest of the call.
            first();
        }
        return found(worker);
    }

    /** The first pending worker that fits and is in the set, by index; -1 when there is none. */
    int firstPendingOf(WorkerSet among) {
        return fromPending == NONE ? -1 : pending.firstOf(this, among);
    }

    int firstPending() {
        int worker = pending.first(this, fromPending);
        fromPending = worker < 0 ? NONE : worker;
        return worker;
    }

    /**
     * A note that an order keeps for the profile while workers only lose room. It is 0 at first, and again after room
     * was returned.
     */
    public int mark() {
        return mark;
    }

    /** Replaces the note; see {@link #mark()}. */
    public void mark(int note) {
        mark = note;
    }

    boolean fits(int worker) {
        for (int dimension : dimensions) {
            if (room.left(worker, dimension) < need(worker, dimension)) {
                return false;
            }
        }
        return isFeasible(worker);
    }

    private boolean isFeasible(int worker) {
        if (constraints < 0) {
            return true;
        }
        if (excluded.contains(worker)) {
            return false;
        }
        boolean feasible = admitted.feasible(entry, worker);
        if (!feasible) {
            excluded.add(worker);
        }
        return feasible;
    }

    /** Those of the 64 workers of a word that the constraints are not known to exclude. */
    long feasible(long workers, int word) {
        return constraints < 0 ? workers : workers & ~excluded.bits(word);
    }

    private long need(int worker, int dimension) {
        return unknown ? admitted.need(entry, worker, dimension) : needs[dimension];
    }

    /** How many slots a worker has room for, at most the given number. */
    int count(int worker, int most) {
        if (most == 1 && worker == found && room.changes() == foundAt) {
            return 1;
        }
        // The next worker is often as empty as the last one.
        if (!unknown && lastCount < most && holds(worker, lastCount) && !holds(worker, lastCount + 1)) {
            return lastCount;
        }
        int count = quotient(worker, most);
        lastCount = count;
        return count;
    }

    private boolean holds(int worker, int count) {
        for (int dimension : dimensions) {
            if (needs[dimension] * count > room.left(worker, dimension)) {
                return false;
            }
        }
        return true;
    }

    /** Whether all workers together could hold so many slots, if they were empty. Looks at each worker once. */
    boolean mayEverHold(int slots) {
        long held = 0;
        for (WorkerSet set : new WorkerSet[] {room.registered(), room.pending()}) {
            for (int worker = set.next(0); worker >= 0 && held < slots; worker = set.next(worker + 1)) {
                if (isFeasible(worker)) {
                    long count = slots;
                    for (int dimension : dimensions) {
                        long need = need(worker, dimension);
                        count = need > 0 ? Math.min(count, room.total(worker, dimension) / need) : count;
                    }
                    held += count;
                }
            }
        }
        return held >= slots;
    }

    private int quotient(int worker, int most) {
        long count = most;
        for (int dimension : dimensions) {
            long need = need(worker, dimension);
            long left = room.left(worker, dimension);
            // A need this small does not overflow, whatever the count.
            if (need > 0 && (need > SMALL || left < need * count)) {
                count = Math.min(count, left / need);
            }
        }
        return (int) count;
    }

    void take(int worker, int count) {
        if (unknown) {
            giveBack(worker, -count);
        } else {
            room.take(worker, dimensions, needs, count);
        }
    }

    void giveBack(int worker, int count) {
        for (int dimension : dimensions) {
            room.take(worker, dimension, -need(worker, dimension) * count);
        }
        room.touch(worker);
    }

    /** The worker took as many slots as it had room for. */
    void exhausted(int worker) {
        (room.registered(worker) ? registered : pending).exhausted(worker, number);
    }

    void resetMarks() {
        from = 0;
        fromPending = 0;
        fromPreferred = 0;
        mark = 0;
        newMark = 0;
        groups = NO_GROUPS;
    }

    /** The order of groups that was computed for this call, so that it stays the same while there are marks. */
    int[] groups(ScarceResources scarce) {
        if (groups.length == 0) {
            groups = scarce.order(this);
        }
        return groups;
    }

    /** What a slot takes at least in the dimension. */
    long atLeast(int dimension) {
        return unknown ? 0 : needs[dimension];
    }

    /** Whether a slot takes something in the dimension, or may do so. */
    boolean takes(int dimension) {
        return unknown || needs[dimension] > 0;
    }

    /** Whether the slots have constraints, which may be preferences only. */
    boolean isConstrained() {
        return constraints >= 0;
    }

    /** Before this place in their order, no preferred worker fits. */
    int fromPreferred() {
        return fromPreferred;
    }

    void fromPreferred(int from) {
        fromPreferred = from;
    }

    int newMark() {
        return newMark;
    }

    void newMark(int note) {
        newMark = note;
    }

    /** Whether a slot of the entry takes the same amounts and has the same constraints. */
    boolean takesAs(AdmittedView entries, int by) {
        if (entries.constraints(by) != constraints) {
            return false;
        }
        for (int dimension = 0; dimension < room.dimensions(); dimension++) {
            if (entries.amount(by, dimension) != (unknown ? -1 : needs[dimension])) {
                return false;
            }
        }
        return true;
    }

    boolean isUsed(long thisCall, int as) {
        return call == thisCall && numberInCall == as;
    }

    /** Begins a call, unless it has already begun. */
    void use(long thisCall, int as, AdmittedView entries, int by) {
        numberInCall = as;
        if (unknown || constraints >= 0) {
            admitted = entries;
            entry = by;
        }
        if (call != thisCall) {
            isNew = call == NEVER;
            call = thisCall;
            shortage = "";
            resetMarks();
        }
    }

    /** Names the dimension that most workers are short of, as it was when the first slot of a call found no room. */
    String shortage(int of, AdmittedView entries, NewWorkers news) {
        if (shortage.isEmpty()) {
            shortage = new Shortage(room, news).text(of, entries);
        }
        return shortage;
    }
}
