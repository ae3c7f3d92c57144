package io.berth.core.policies.sequence;

import io.berth.core.api.policy.PlanOutcome.GiveBack;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a played policy was shown in a call, and what it answered. Public for the same reason as {@link Play}. */
public final class Answer {

    /** Slots of a group: admitted by a distribution policy, or shown to a matching strategy. */
    record Entry(int unit, int group, int count, boolean minimum, int rank) {}

    /** Slots of an entry on a worker. */
    record OnWorker(int entry, int worker, int count) {}

    /** Why a worker is excluded for an entry. */
    record Excluded(BitSet workers, String reason) {}

    private final List<Entry> entries = new ArrayList<>();
    private final List<OnWorker> placed = new ArrayList<>();
    private final List<OnWorker> reserved = new ArrayList<>();
    private final SortedMap<Integer, Excluded> excluded = new TreeMap<>();
    private final List<GiveBack> givenBack = new ArrayList<>();
    private final List<Reclaim> reclaimed = new ArrayList<>();
    private final SortedSet<Integer> deferred = new TreeSet<>();
    private OptionalLong reviewMillis = OptionalLong.empty();
    private long state = -1;
    private int rank = -1;
    private boolean oneRank;

    /** Number of the state that the view shows. */
    public void sees(long number) {
        state = number;
    }

    /** A strategy is shown an entry. */
    public void shown(String job, String group, int count, boolean minimum, int ofRank) {
        entries.add(new Entry(number(job), number(group), count, minimum, ofRank));
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(1));
    }

    public void beginRank() {
        rank++;
        oneRank = true;
    }

    public void endRank() {
        oneRank = false;
    }

    /** What is admitted from here on comes later than the rest, unless a rank was begun. */
    public void nextRank() {
        rank += oneRank ? 0 : 1;
    }

    public void admitted(int unit, int group, int count, boolean minimum) {
        entries.add(new Entry(unit, group, count, minimum, rank));
    }

    public void deferred(int unit) {
        deferred.add(unit);
    }

    public void reclaimed(int unit, int group, int count, String reason) {
        reclaimed.add(new Reclaim(unit, group, count, reason));
    }

    public void placed(int entry, int worker, int count) {
        placed.add(new OnWorker(entry, worker, count));
    }

    public void reserved(int entry, int worker, int count) {
        reserved.add(new OnWorker(entry, worker, count));
    }

    public void excluded(int entry, BitSet workers, String reason) {
        excluded.put(entry, new Excluded(workers, reason));
    }

    public void gaveBack(AllocationId slot, String reason) {
        givenBack.add(new GiveBack(slot, reason));
    }

    public void review(long millis) {
        reviewMillis = OptionalLong.of(Math.min(millis, reviewMillis.orElse(Long.MAX_VALUE)));
    }

    long state() {
        return state;
    }

    List<Entry> entries() {
        return entries;
    }

    List<OnWorker> placed() {
        return placed;
    }

    List<OnWorker> reserved() {
        return reserved;
    }

    /** By entry. */
    SortedMap<Integer, Excluded> excluded() {
        return excluded;
    }

    List<GiveBack> givenBack() {
        return givenBack;
    }

    List<Reclaim> reclaimed() {
        return reclaimed;
    }

    SortedSet<Integer> deferred() {
        return deferred;
    }

    OptionalLong reviewMillis() {
        return reviewMillis;
    }
}
