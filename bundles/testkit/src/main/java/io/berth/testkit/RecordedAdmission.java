package io.berth.testkit;

import io.berth.spi.distribution.AdmissionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a distribution policy admitted, in order. */
public final class RecordedAdmission implements AdmissionBuilder {

    private final RecordedReview review = new RecordedReview();

    /** @param group of the slots above the minimum, or -1 for the minimum itself */
    public record Admitted(int unit, int group, int count) {}

    private final List<Integer> ranks = new ArrayList<>();
    private int rank = -1;
    private boolean oneRank;

    /** Slots that a job is to be asked for. */
    public record Reclaimed(int unit, int group, int count, String reason) {}

    private final List<Reclaimed> reclaimed = new ArrayList<>();
    private final List<Admitted> admitted = new ArrayList<>();
    private final SortedMap<Integer, String> deferred = new TreeMap<>();

    /** What was admitted, in the order of the calls. */
    public List<Admitted> admitted() {
        return admitted;
    }

    /** Why units were deferred, by their index. */
    public SortedMap<Integer, String> deferred() {
        return deferred;
    }

    /** The rank of each, in the order of the calls. */
    public List<Integer> ranks() {
        return ranks;
    }

    private void add(Admitted one) {
        if (!oneRank) {
            rank++;
        }
        admitted.add(one);
        ranks.add(rank);
    }

    @Override
    public void beginRank() {
        if (oneRank) {
            throw new AssertionError("begins a rank before it ends the one that it began");
        }
        oneRank = true;
        rank++;
    }

    @Override
    public void endRank() {
        if (!oneRank) {
            throw new AssertionError("ends a rank that it did not begin");
        }
        oneRank = false;
    }

    @Override
    public void admitMinimum(int unit) {
        add(new Admitted(unit, -1, 0));
    }

    @Override
    public void admit(int unit, int group, int count) {
        add(new Admitted(unit, group, count));
    }

    @Override
    public void defer(int unit, String reason) {
        deferred.put(unit, reason);
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<Reclaimed> reclaimed() {
        return reclaimed;
    }

    @Override
    public void reclaim(int unit, int group, int count, String reason) {
        reclaimed.add(new Reclaimed(unit, group, count, reason));
    }

    /** The smallest time after which the policy asked for another call; empty when it did not. */
    public OptionalLong reviewMillis() {
        return review.millis();
    }

    @Override
    public void reviewAfter(long millis) {
        review.after(millis);
    }
}
