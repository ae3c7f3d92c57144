package io.berth.testkit;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AllocationsView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Slots that jobs have, in the order of the {@code add} calls. All are of the unit {@code all}. */
public final class ArrayAllocationsView implements AllocationsView {

    private record Row(AllocationId id, JobId job, String group, ResourceProfile profile, int worker, long since) {}

    private record Group(JobId job, String name) {}

    private final ArrayWorkersView workers;
    private final List<Row> rows = new ArrayList<>();
    private final Map<Group, Integer> minimums = new HashMap<>();
    private final List<JobId> paused = new ArrayList<>();

    ArrayAllocationsView(ArrayWorkersView workers) {
        this.workers = workers;
    }

    /** Adds slots of one group on one worker, which have been there since {@code since}. Takes no room of the worker. */
    public ArrayAllocationsView add(
            String job, String group, ResourceProfile profile, int worker, int count, long since) {
        for (int slot = 0; slot < count; slot++) {
            rows.add(new Row(new AllocationId(1, rows.size() + 1L), new JobId(job), group, profile, worker, since));
        }
        return this;
    }

    /** The group has this minimum; without this call it is 0. */
    public ArrayAllocationsView minimum(String job, String group, int minimum) {
        minimums.put(new Group(new JobId(job), group), minimum);
        return this;
    }

    /** The job may not be asked now. */
    public ArrayAllocationsView paused(String job) {
        paused.add(new JobId(job));
        return this;
    }

    @Override
    public int limit() {
        return rows.size();
    }

    @Override
    public boolean present(int allocation) {
        return allocation >= 0 && allocation < rows.size();
    }

    @Override
    public AllocationId id(int allocation) {
        return rows.get(allocation).id();
    }

    @Override
    public JobId job(int allocation) {
        return rows.get(allocation).job();
    }

    @Override
    public String unit(int allocation) {
        return "all";
    }

    @Override
    public String group(int allocation) {
        return rows.get(allocation).group();
    }

    @Override
    public int worker(int allocation) {
        return rows.get(allocation).worker();
    }

    @Override
    public long since(int allocation) {
        return rows.get(allocation).since();
    }

    @Override
    public long amount(int allocation, int dimension) {
        return workers.amount(rows.get(allocation).profile(), dimension);
    }

    @Override
    public int aboveMinimum(int allocation) {
        Row row = rows.get(allocation);
        long held = rows.stream()
                .filter(other -> other.job().equals(row.job()) && other.group().equals(row.group()))
                .count();
        return (int) held - minimums.getOrDefault(new Group(row.job(), row.group()), 0);
    }

    @Override
    public boolean returnable(int allocation) {
        return !paused.contains(rows.get(allocation).job());
    }
}
