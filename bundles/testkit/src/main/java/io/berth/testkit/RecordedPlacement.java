package io.berth.testkit;

import io.berth.policy.rules.BuilderAccess;
import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What a strategy placed, in its own words. */
public final class RecordedPlacement implements PlacementBuilder {

    private final BuilderAccess access = new BuilderAccess();

    /** A run of slots. */
    public record Run(int entry, int worker, int count) {}

    /** A slot that a job is to be asked for. */
    public record GivenBack(int allocation, String reason) {}

    private final ArrayWorkersView workers;
    private final List<Consumer<PlacementBuilder>> calls = new ArrayList<>();
    private final List<Run> runs = new ArrayList<>();
    private final List<Run> reserved = new ArrayList<>();
    private final SortedMap<Integer, SortedMap<Integer, String>> excluded = new TreeMap<>();
    private final SortedMap<Integer, SortedMap<Integer, String>> excludedSpecs = new TreeMap<>();
    private final List<GivenBack> givenBack = new ArrayList<>();
    private final List<Integer> opened = new ArrayList<>();
    private final SortedMap<Integer, String> reasons = new TreeMap<>();
    private final SortedMap<Integer, String> leftOut = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * At first, nothing is placed. The indexes of new workers start at the limit of the view. Only the thread that calls
     * this may place.
     */
    public RecordedPlacement(ArrayWorkersView workers) {
        this.workers = workers;
        access.begin();
    }

    /** The call of the strategy is over: what it still does has no effect and is a {@link #misuse}. */
    public void end() {
        access.end();
    }

    /** How the strategy misused the builder: on another thread, after the call, or for a review that is not allowed. */
    public Optional<String> misuse() {
        return access.misuse();
    }

    /** Makes the same calls on another builder, in the same order. */
    public void repeat(PlacementBuilder other) {
        calls.forEach(call -> call.accept(other));
    }

    /** What was placed, in the order of the calls. */
    public List<Run> runs() {
        return runs;
    }

    /** Spec of each new worker. The index of the first one is the limit of the view. */
    public List<Integer> opened() {
        return opened;
    }

    /** Why entries found no room, by index. */
    public SortedMap<Integer, String> reasons() {
        return reasons;
    }

    /** How many slots of an entry were placed. */
    public int placed(int entry) {
        return runs.stream()
                .filter(run -> run.entry() == entry)
                .mapToInt(Run::count)
                .sum();
    }

    /** How many slots a worker takes. */
    public int on(int worker) {
        return runs.stream()
                .filter(run -> run.worker() == worker)
                .mapToInt(Run::count)
                .sum();
    }

    @Override
    public void place(int entry, int worker, int count) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.place(entry, worker, count));
        runs.add(new Run(entry, worker, count));
    }

    /** Room that is reserved for gangs that were not placed. */
    public List<Run> reserved() {
        return reserved;
    }

    @Override
    public void reserve(int entry, int worker, int count) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.reserve(entry, worker, count));
        reserved.add(new Run(entry, worker, count));
    }

    /** The workers that were excluded for an entry, with the reasons. */
    public SortedMap<Integer, String> excluded(int entry) {
        return excluded.getOrDefault(entry, new TreeMap<>());
    }

    @Override
    public void exclude(int entry, int worker, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.exclude(entry, worker, reason));
        excluded.computeIfAbsent(entry, first -> new TreeMap<>()).putIfAbsent(worker, reason);
    }

    /** The specs that were excluded for an entry, with the reasons. */
    public SortedMap<Integer, String> excludedSpecs(int entry) {
        return excludedSpecs.getOrDefault(entry, new TreeMap<>());
    }

    @Override
    public void excludeSpec(int entry, int spec, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.excludeSpec(entry, spec, reason));
        excludedSpecs.computeIfAbsent(entry, first -> new TreeMap<>()).putIfAbsent(spec, reason);
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<GivenBack> givenBack() {
        return givenBack;
    }

    @Override
    public void giveBack(int allocation, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.giveBack(allocation, reason));
        givenBack.add(new GivenBack(allocation, reason));
    }

    @Override
    public int open(int spec) {
        if (!access.open()) {
            return -1;
        }
        calls.add(to -> to.open(spec));
        opened.add(spec);
        return workers.limit() + opened.size() - 1;
    }

    @Override
    public void unplaced(int entry, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.unplaced(entry, reason));
        reasons.putIfAbsent(entry, reason);
    }

    /** Why gangs were left out on purpose, by index of the entry that was named. */
    public SortedMap<Integer, String> leftOut() {
        return leftOut;
    }

    @Override
    public void leaveOut(int entry, String reason) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.leaveOut(entry, reason));
        leftOut.putIfAbsent(entry, reason);
    }

    /** What the strategy said about the result as a whole, in the order of the calls. */
    public List<String> notes() {
        return notes;
    }

    @Override
    public void note(String text) {
        if (!access.open()) {
            return;
        }
        calls.add(to -> to.note(text));
        notes.add(text);
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

    @Override
    public String toString() {
        return "runs " + runs + ", opened " + opened + ", reasons " + reasons;
    }
}
