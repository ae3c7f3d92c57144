package io.berth.spi.matching;

import java.util.Arrays;

/**
 * The workers that have room for a slot of one profile. Kept over calls: a worker that was found to have none is not
 * looked at again before it has other free amounts.
 */
public final class FittingWorkers {

    private static final long SMALL = 1L << 32;

    private final FreeRoom room;
    /** What a slot takes of any worker. */
    private final long[] needs;
    /** Whether each worker has a size of its own for it. */
    private final boolean unknown;
    /** The dimensions of which a slot takes something. */
    private final int[] dimensions;
    private long packedNeeds;
    private int packedBy = -1;
    /** Those that may have room. */
    private final WorkerSet candidates = new WorkerSet();
    /** Number of the last change of a worker that the candidates know of. */
    private long knows = -1;
    private long call;
    private int lastCount;
    private int firstWord;
    private int mark;
    private int newMark;
    /** Of the last call, for a profile that is unknown. */
    private AdmittedView admitted;
    private int entry;
    private String shortage = "";

    FittingWorkers(FreeRoom room, long[] needs, boolean unknown) {
        this.room = room;
        this.needs = needs;
        this.unknown = unknown;
        int count = 0;
        int[] taking = new int[room.dimensions()];
        for (int dimension = 0; dimension < taking.length; dimension++) {
            if (unknown || needs[dimension] > 0) {
                taking[count++] = dimension;
            }
        }
        this.dimensions = Arrays.copyOf(taking, count);
    }

    /** The first registered one, by index; -1 when there is none. */
    public int first() {
        // Within a call workers only lose room: no word before the last one that had a worker has any.
        int worker = firstIn(firstWord, room.registered());
        if (worker < 0) {
            worker = firstOf(room.registered());
            firstWord = worker < 0 ? firstWord : worker / Long.SIZE;
        }
        return worker;
    }

    /** The first one, by index, that is in a set of registered workers too; -1 when there is none. */
    public int firstOf(WorkerSet among) {
        int groups = Math.min(candidates.groups(), among.groups());
        for (int group = 0; group < groups; group++) {
            long both = candidates.filled(group) & among.filled(group);
            while (both != 0) {
                int worker = firstIn(group * Long.SIZE + Long.numberOfTrailingZeros(both), among);
                if (worker >= 0) {
                    return worker;
                }
                both &= both - 1;
            }
        }
        return -1;
    }

    private int firstIn(int word, WorkerSet among) {
        long bits = candidates.bits(word) & among.bits(word);
        long without = 0;
        while (bits != 0) {
            int worker = word * Long.SIZE + Long.numberOfTrailingZeros(bits);
            if (room.mayHold(worker, packedNeeds) && fits(worker)) {
                candidates.removeBits(word, without);
                return worker;
            }
            without |= bits & -bits;
            bits &= bits - 1;
        }
        candidates.removeBits(word, without);
        return -1;
    }

    /** A note that an order keeps for the profile while workers only lose room: 0 at first, and when some is given back. */
    public int mark() {
        return mark;
    }

    public void mark(int note) {
        mark = note;
    }

    int firstPending() {
        return firstOf(room.pending());
    }

    private boolean fits(int worker) {
        for (int dimension : dimensions) {
            if (room.left(worker, dimension) < need(worker, dimension)) {
                return false;
            }
        }
        return true;
    }

    private long need(int worker, int dimension) {
        return unknown ? admitted.need(entry, worker, dimension) : needs[dimension];
    }

    /** How many slots a worker has room for, at most as many as are wanted. */
    int count(int worker, int most) {
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

    private int quotient(int worker, int most) {
        long count = most;
        for (int dimension : dimensions) {
            long need = need(worker, dimension);
            long left = room.left(worker, dimension);
            // One that is this small does not overflow, whatever the count.
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
            room.take(worker, dimensions, needs, packedNeeds, count);
        }
    }

    void giveBack(int worker, int count) {
        for (int dimension : dimensions) {
            room.take(worker, dimension, -need(worker, dimension) * count);
        }
        room.changed(worker);
    }

    /** The worker took as many slots as it had room for. */
    void exhausted(int worker) {
        candidates.remove(worker);
    }

    void mayFit(int worker) {
        candidates.add(worker);
    }

    void resetMarks() {
        firstWord = 0;
        mark = 0;
        newMark = 0;
    }

    int newMark() {
        return newMark;
    }

    void newMark(int note) {
        newMark = note;
    }

    /** Takes over which workers changed since the last call. */
    void use(long thisCall, AdmittedView entries, int by, Changes changes, Changes gains) {
        if (unknown) {
            admitted = entries;
            entry = by;
        }
        if (call != thisCall) {
            call = thisCall;
            shortage = "";
            resetMarks();
            knows = (unknown ? changes : gains).addTo(candidates, knows);
        }
        if (packedBy != room.scale()) {
            packedBy = room.scale();
            packedNeeds = unknown ? 0 : room.packedNeeds(needs);
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
