package io.berth.policy.support;

import java.util.Arrays;

/**
 * Which profiles may fit on which worker, as bits for each worker, with a tree above them that combines the bits of
 * all workers of a branch. The cost of a search hardly depends on the number of workers, and not at all on the number
 * of profiles, except for the first search for a new profile. When a worker gains room, this is recorded once for all
 * profiles. When a worker loses room, this is found when a search for a profile fails at it, and recorded for the 64
 * profiles of the same word.
 */
final class FittingIndex {

    private static final int BITS = 4;
    private static final int BRANCHES = 1 << BITS;
    private static final int LEVELS = 5;
    /** This many bits of an index give the place within a group of words of a {@link WorkerSet}: four levels. */
    private static final int GROUP = 3;

    private final FreeRoom room;
    private final ProfilesByRoom profiles;
    /** By 64 profiles, then by level, workers at the bottom. A branch may have bits that none of its workers has. */
    private long[][][] words = {new long[LEVELS][BRANCHES]};

    private int limit;
    /** The lowest level that is one branch. */
    private int top;

    FittingIndex(FreeRoom room, ProfilesByRoom profiles) {
        this.room = room;
        this.profiles = profiles;
    }

    /** The worker is present and has more room than before. */
    void gained(int worker) {
        if (worker >= limit) {
            grow(worker + 1);
        }
        for (int word = 0; word < words.length; word++) {
            long bits = profiles.cut(room, worker, word);
            words[word][0][worker] = bits;
            tellBranches(words[word], worker, bits);
        }
    }

    /** A profile may fit on the worker, which is present. */
    void mayFit(int worker, int profile) {
        long[][] levels = words[profile / Long.SIZE];
        levels[0][worker] |= 1L << profile;
        tellBranches(levels, worker, 1L << profile);
    }

    private static void tellBranches(long[][] levels, int worker, long added) {
        int at = worker;
        for (int level = 1; level < LEVELS; level++) {
            at >>= BITS;
            long before = levels[level][at];
            if ((before | added) == before) {
                return;
            }
            levels[level][at] = before | added;
        }
    }

    void remove(int worker) {
        if (worker < limit) {
            for (long[][] levels : words) {
                levels[0][worker] = 0;
            }
        }
    }

    /** A profile no longer fits on the worker. */
    void exhausted(int worker, int profile) {
        words[profile / Long.SIZE][0][worker] &= ~(1L << profile);
    }

    /** Makes room for the profiles. New profiles may fit on any worker. */
    void widen(WorkerSet there) {
        int before = words.length;
        if (profiles.words() > before) {
            resize(profiles.words());
            for (int worker = there.next(0); worker >= 0; worker = there.next(worker + 1)) {
                for (int word = before; word < words.length; word++) {
                    words[word][0][worker] = -1;
                    tellBranches(words[word], worker, -1);
                }
            }
        }
    }

    /** Forgets all profiles. */
    void clear(WorkerSet there) {
        resize(1);
        for (int worker = there.next(0); worker >= 0; worker = there.next(worker + 1)) {
            gained(worker);
        }
    }

    private void resize(int count) {
        int before = Math.min(count, words.length);
        words = Arrays.copyOf(words, count);
        for (int word = before; word < count; word++) {
            words[word] = new long[LEVELS][];
            for (int level = 0; level < LEVELS; level++) {
                words[word][level] = new long[words[0][level].length];
            }
        }
    }

    private void grow(int workers) {
        if (workers > words[0][0].length) {
            int room = Math.max(workers, Math.max(BRANCHES, words[0][0].length * 2));
            for (long[][] levels : words) {
                for (int level = 0; level < LEVELS; level++) {
                    levels[level] = Arrays.copyOf(levels[level], endOfBranch(room - 1 >> level * BITS));
                }
            }
        }
        limit = workers;
        while (top < LEVELS - 1 && words[0][top].length > BRANCHES) {
            top++;
        }
    }

    private static int endOfBranch(int at) {
        return (at | BRANCHES - 1) + 1;
    }

    /** The first fitting worker at or after an index; -1 when there is none. */
    int first(FittingWorkers fitting, int from) {
        long bit = 1L << fitting.number();
        long[][] levels = words[fitting.number() / Long.SIZE];
        int level = from == 0 ? top : 0;
        int at = from;
        while (at < levels[level].length) {
            int found = level == 0 ? inBranch(fitting, at, levels[0], bit) : next(levels[level], at, bit);
            if (found >= 0 && level == 0) {
                return found;
            }
            int end = endOfBranch(at);
            if (found >= 0) {
                level--;
                at = found << BITS;
            } else if (level == top) {
                at = end;
            } else {
                if ((at & BRANCHES - 1) == 0) {
                    levels[level + 1][at >> BITS] = all(levels[level], at, end);
                }
                level++;
                at = end >> BITS;
            }
        }
        return -1;
    }

    private static int next(long[] of, int from, long bit) {
        int end = endOfBranch(from);
        for (int at = from; at < end; at++) {
            if ((of[at] & bit) != 0) {
                return at;
            }
        }
        return -1;
    }

    private static long all(long[] of, int from, int to) {
        long all = 0;
        int end = Math.min(of.length, to);
        for (int at = from; at < end; at++) {
            all |= of[at];
        }
        return all;
    }

    private int inBranch(FittingWorkers fitting, int from, long[] of, long bit) {
        int worker = next(of, from, bit);
        while (worker >= 0 && !fitting.fits(worker)) {
            lost(fitting, worker);
            worker = next(of, worker, bit);
        }
        return worker;
    }

    /** The first fitting worker that is also in a set; -1 when there is none. */
    int firstOf(FittingWorkers fitting, WorkerSet among) {
        long bit = 1L << fitting.number();
        long[][] levels = words[fitting.number() / Long.SIZE];
        int groups = Math.min(among.groups(), levels[GROUP].length);
        for (int group = 0; group < groups; group++) {
            if ((levels[GROUP][group] & bit) != 0) {
                for (long filled = among.filled(group); filled != 0; filled &= filled - 1) {
                    int word = group * Long.SIZE + Long.numberOfTrailingZeros(filled);
                    if ((levels[2][word * Long.SIZE >> 2 * BITS] & bit) == 0) {
                        continue;
                    }
                    int worker = inWord(fitting, levels, bit, word, fitting.feasible(among.bits(word), word));
                    if (worker >= 0) {
                        return worker;
                    }
                }
            }
        }
        return -1;
    }

    private int inWord(FittingWorkers fitting, long[][] levels, long bit, int word, long among) {
        long left = among;
        while (left != 0) {
            int worker = word * Long.SIZE + Long.numberOfTrailingZeros(left);
            if (worker >= limit) {
                return -1;
            }
            if ((levels[0][worker] & bit) != 0) {
                if (fitting.fits(worker)) {
                    return worker;
                }
                lost(fitting, worker);
            } else if (!settle(levels, worker >> BITS, bit)) {
                // Nor does any other worker of the branch fit.
                left &= -1L << worker << BRANCHES - (worker & BRANCHES - 1) - 1 << 1;
                continue;
            }
            left &= left - 1;
        }
        return -1;
    }

    /**
     * Whether any worker of a branch has the bit. If none has, clears the bit of the branch and of the branches above
     * it.
     */
    private static boolean settle(long[][] levels, int branch, long bit) {
        int at = branch;
        for (int level = 1; level < LEVELS; level++) {
            if ((levels[level][at] & bit) != 0) {
                levels[level][at] = all(levels[level - 1], at << BITS, at + 1 << BITS);
            }
            if ((levels[level][at] & bit) != 0) {
                return level == 1;
            }
            at >>= BITS;
        }
        return false;
    }

    /**
     * When a search fails at a worker that lost room, records this for other profiles too. A search for a new profile
     * shows nothing.
     */
    private void lost(FittingWorkers fitting, int worker) {
        int word = fitting.number() / Long.SIZE;
        long others = fitting.isNew() ? -1 : profiles.cut(room, worker, word);
        words[word][0][worker] &= others & ~(1L << fitting.number());
    }
}
