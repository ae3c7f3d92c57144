package io.berth.testkit;

import io.berth.spi.matching.PlacementBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a strategy placed, as it said it. */
public final class RecordedPlacement implements PlacementBuilder {

    /** A run of slots. */
    public record Run(int entry, int worker, int count) {}

    private final ArrayWorkersView workers;
    private final List<Run> runs = new ArrayList<>();
    private final List<Integer> opened = new ArrayList<>();
    private final SortedMap<Integer, String> reasons = new TreeMap<>();

    /** Nothing is placed yet; new workers count from the limit of this view. */
    public RecordedPlacement(ArrayWorkersView workers) {
        this.workers = workers;
    }

    /** What was placed, in the order of the calls. */
    public List<Run> runs() {
        return runs;
    }

    /** Spec of each new worker; its index is the limit of the view and on. */
    public List<Integer> opened() {
        return opened;
    }

    /** Why entries were not placed, by their index. */
    public SortedMap<Integer, String> reasons() {
        return reasons;
    }

    /** Slots of an entry that were placed. */
    public int placed(int entry) {
        return runs.stream()
                .filter(run -> run.entry() == entry)
                .mapToInt(Run::count)
                .sum();
    }

    /** Slots that a worker takes. */
    public int on(int worker) {
        return runs.stream()
                .filter(run -> run.worker() == worker)
                .mapToInt(Run::count)
                .sum();
    }

    @Override
    public void place(int entry, int worker, int count) {
        runs.add(new Run(entry, worker, count));
    }

    @Override
    public int open(int spec) {
        opened.add(spec);
        return workers.limit() + opened.size() - 1;
    }

    @Override
    public void unplaced(int entry, String reason) {
        reasons.put(entry, reason);
    }

    @Override
    public String toString() {
        return "runs " + runs + ", opened " + opened + ", reasons " + reasons;
    }
}
