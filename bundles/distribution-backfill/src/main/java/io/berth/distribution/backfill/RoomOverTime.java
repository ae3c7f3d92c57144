package io.berth.distribution.backfill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is free from now on, by resource, for one decision: it grows when units that run end, and shrinks where room is
 * reserved. Only these reservations make it shrink later, so that whether something fits for some time is seen at the
 * present and at their starts, and does not need a look at all units that run.
 */
final class RoomOverTime {

    /** A time that does not come. */
    static final long NEVER = Long.MAX_VALUE;

    /** More than there is of any resource; sums of some of these do not overflow. */
    private static final long UNLIMITED = Long.MAX_VALUE / 8;

    /** What becomes free or taken at a time because of this decision. */
    private record Change(long at, long[] amounts) {}

    /** The start of a reservation, and what is free then. */
    private record Start(long at, long[] free) {}

    private final int dimensions;
    private final long[] free;
    /** Scratch space of a search. */
    private final long[] then;

    private long now;
    private long lastStart;

    private int ends;
    private long[] endTimes = new long[64];
    /** What becomes free at each end, one row after the other. */
    private long[] ended;

    private final List<Change> changes = new ArrayList<>();
    private final List<Start> starts = new ArrayList<>();

    RoomOverTime(int dimensions) {
        this.dimensions = dimensions;
        free = new long[dimensions];
        then = new long[dimensions];
        ended = new long[endTimes.length * dimensions];
    }

    /** Starts again with nothing free. */
    void begin(long nowMillis) {
        now = nowMillis;
        lastStart = nowMillis;
        ends = 0;
        changes.clear();
        starts.clear();
        Arrays.fill(free, 0);
    }

    /** Adds what is free now. */
    void add(int dimension, long amount) {
        free[dimension] = Math.min(UNLIMITED, free[dimension] + Math.min(UNLIMITED, amount));
    }

    /** Opens the time at which units that run end; {@link #addEnded} says what they have. Times must ascend. */
    void endAt(long atMillis) {
        if (ends > 0 && endTimes[ends - 1] == atMillis) {
            return;
        }
        if (ends == endTimes.length) {
            endTimes = Arrays.copyOf(endTimes, ends * 2);
            ended = Arrays.copyOf(ended, ended.length * 2);
        }
        endTimes[ends] = atMillis;
        Arrays.fill(ended, ends * dimensions, (ends + 1) * dimensions, 0);
        ends++;
    }

    /** Something becomes free at the last opened time. */
    void addEnded(int dimension, long amount) {
        ended[(ends - 1) * dimensions + dimension] += amount;
    }

    /** When something ends that runs from a time for a time. */
    static long end(long fromMillis, long runMillis) {
        long end = fromMillis + runMillis;
        return runMillis == NEVER || end < fromMillis ? NEVER : end;
    }

    private static boolean covers(long[] room, long[] need) {
        for (int dimension = 0; dimension < need.length; dimension++) {
            if (need[dimension] > 0 && room[dimension] < need[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** Whether the amounts are free from now on until a time, which is excluded. */
    boolean fits(long[] need, long untilMillis) {
        if (!covers(free, need)) {
            return false;
        }
        for (Start start : starts) {
            if (start.at() < untilMillis && !covers(start.free(), need)) {
                return false;
            }
        }
        return true;
    }

    /** How many slots of a size fit from now on until a time, at most {@code most}. */
    int count(long[] slot, long untilMillis, int most) {
        int count = count(free, slot, most);
        for (Start start : starts) {
            if (start.at() < untilMillis) {
                count = count(start.free(), slot, count);
            }
        }
        return count;
    }

    private static int count(long[] room, long[] slot, int most) {
        long count = most;
        for (int dimension = 0; dimension < slot.length; dimension++) {
            if (slot[dimension] > 0) {
                count = Math.min(count, Math.max(0, room[dimension]) / slot[dimension]);
            }
        }
        return (int) count;
    }

    /** The first time from which on the amounts are free for so long; {@link #NEVER} if there is none. */
    long earliest(long[] need, long runMillis) {
        if (fits(need, end(now, runMillis))) {
            return now;
        }
        System.arraycopy(free, 0, then, 0, dimensions);
        long found = covers(then, need) ? now : NEVER;
        int nextEnd = 0;
        int nextChange = 0;
        while (nextEnd < ends || nextChange < changes.size()) {
            long at = Math.min(
                    nextEnd < ends ? endTimes[nextEnd] : NEVER,
                    nextChange < changes.size() ? changes.get(nextChange).at() : NEVER);
            if (found != NEVER && at >= end(found, runMillis)) {
                return found;
            }
            if (nextEnd < ends && endTimes[nextEnd] == at) {
                addTo(then, ended, nextEnd * dimensions, 1);
                nextEnd++;
            }
            while (nextChange < changes.size() && changes.get(nextChange).at() == at) {
                addTo(then, changes.get(nextChange).amounts(), 0, 1);
                nextChange++;
            }
            if (!covers(then, need)) {
                found = NEVER;
            } else if (found == NEVER) {
                found = at;
            }
            if (found != NEVER && at >= lastStart) {
                return found;
            }
        }
        return found;
    }

    private void addTo(long[] sum, long[] amounts, int from, int sign) {
        for (int dimension = 0; dimension < dimensions; dimension++) {
            sum[dimension] += sign * amounts[from + dimension];
        }
    }

    /** Takes the amounts from now on until a time. Only whether something fits now is known after that. */
    void take(long[] need, long untilMillis) {
        addTo(free, need, 0, -1);
        for (Start start : starts) {
            if (start.at() < untilMillis) {
                addTo(start.free(), need, 0, -1);
            }
        }
    }

    /** Takes the amounts for some time from a time on that {@link #earliest} found. */
    void reserve(long[] need, long fromMillis, long runMillis) {
        long end = end(fromMillis, runMillis);
        if (fromMillis == now) {
            take(need, end);
        } else {
            long[] left = freeAt(fromMillis);
            addTo(left, need, 0, -1);
            for (Start start : starts) {
                if (start.at() >= fromMillis && start.at() < end) {
                    addTo(start.free(), need, 0, -1);
                }
            }
            starts.add(new Start(fromMillis, left));
            lastStart = Math.max(lastStart, fromMillis);
            change(fromMillis, need, -1);
        }
        if (end != NEVER) {
            change(end, need, 1);
        }
    }

    private long[] freeAt(long atMillis) {
        long[] sum = free.clone();
        for (int end = 0; end < ends && endTimes[end] <= atMillis; end++) {
            addTo(sum, ended, end * dimensions, 1);
        }
        for (Change change : changes) {
            if (change.at() <= atMillis) {
                addTo(sum, change.amounts(), 0, 1);
            }
        }
        return sum;
    }

    private void change(long atMillis, long[] need, int sign) {
        long[] amounts = new long[dimensions];
        addTo(amounts, need, 0, sign);
        int place = changes.size();
        while (place > 0 && changes.get(place - 1).at() > atMillis) {
            place--;
        }
        changes.add(place, new Change(atMillis, amounts));
    }

    /** What starts now and does not end by a time may take at most these amounts of the resources of which something is needed. */
    void limit(long untilMillis, long[] need, long[] most) {
        long[] left = new long[dimensions];
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[dimension] = need[dimension] > 0 ? most[dimension] : UNLIMITED;
        }
        starts.add(new Start(untilMillis, left));
    }
}
