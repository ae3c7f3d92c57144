package io.berth.testkit;

import io.berth.policy.rules.AdmissionCheck;
import io.berth.policy.rules.BuilderAccess;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What a distribution policy admitted, in order. */
public final class RecordedAdmission implements AdmissionBuilder {

    private final BuilderAccess access = new BuilderAccess();

    /** @param group of the slots above the minimum, or -1 for the minimum itself */
    public record Admitted(int unit, int group, int count) {}

    private final List<Consumer<AdmissionBuilder>> calls = new ArrayList<>();
    private final List<Integer> ranks = new ArrayList<>();
    private int rank = -1;
    private boolean oneRank;

    /** Slots that a job is to be asked for. */
    public record Reclaimed(int unit, int group, int count, String reason) {}

    private final List<Reclaimed> reclaimed = new ArrayList<>();
    private final List<Admitted> admitted = new ArrayList<>();
    private final SortedMap<Integer, String> deferred = new TreeMap<>();

    /** At first, nothing is admitted. Only the thread that calls this may admit. */
    public RecordedAdmission() {
        access.begin();
    }

    /** The call of the policy is over: what it still does has no effect and is a violation. */
    public void end() {
        access.end();
    }

    /** How the policy misused the builder: on another thread, after the call, or for a review that is not allowed. */
    public Optional<String> misuse() {
        return access.misuse();
    }

    /** Makes the same calls on another builder, in the same order. */
    public void repeat(AdmissionBuilder other) {
        calls.forEach(call -> call.accept(other));
    }

    /**
     * The first rule of admission that the host finds broken, as it says it; a {@link #misuse} counts too.
     *
     * @param demands that the policy saw, in the same state
     */
    public Optional<String> violation(DemandsView demands) {
        AdmissionCheck check = new AdmissionCheck(demands, new AdmissionCheck.Receiver() {
            @Override
            public void newRank() {}

            @Override
            public void newGang() {}

            @Override
            public void admitted(int unit, int group, int count, boolean minimum) {}
        });
        check.rules().begin();
        repeat(check);
        check.rules().end();
        return access.misuse().or(check.rules()::violation);
    }

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

    /** Whether a rank began and did not end. */
    boolean rankIsOpen() {
        return oneRank;
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
        if (!access.open()) {
            return;
        }
        calls.add(AdmissionBuilder::beginRank);
        oneRank = true;
        rank++;
    }

    @Override
    public void endRank() {
        if (!access.open()) {
            return;
        }
        calls.add(AdmissionBuilder::endRank);
        oneRank = false;
    }

    @Override
    public void admitMinimum(int unit) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.admitMinimum(unit));
        add(new Admitted(unit, -1, 0));
    }

    @Override
    public void admit(int unit, int group, int count) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.admit(unit, group, count));
        add(new Admitted(unit, group, count));
    }

    @Override
    public void defer(int unit, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.defer(unit, reason));
        deferred.putIfAbsent(unit, reason);
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<Reclaimed> reclaimed() {
        return reclaimed;
    }

    @Override
    public void reclaim(int unit, int group, int count, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.reclaim(unit, group, count, reason));
        reclaimed.add(new Reclaimed(unit, group, count, reason));
    }

    /** The smallest time after which the policy asked for another call; empty when it did not. */
    public OptionalLong reviewMillis() {
        return access.reviewMillis();
    }

    @Override
    public void reviewAfter(long millis) {
        if (access.open()) {
            calls.add(to -> to.reviewAfter(millis));
            access.review(millis);
        }
    }
}
