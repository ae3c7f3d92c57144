package io.berth.testkit;

import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AllocationsView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Slots that jobs have, in the order of the {@code add} calls until one is removed. */
public final class ArrayAllocationsView implements AllocationsView {

    private static final String ALL = "all";

    private record Unit(JobId job, String name) {}

    private record Group(Unit unit, String name) {}

    private record Row(AllocationId id, Group group, ResourceProfile profile, int worker, long since) {}

    private final ArrayWorkersView workers;
    /** Null: the slot was removed. */
    private final List<@Nullable Row> rows = new ArrayList<>();

    private final Map<Group, Integer> minimums = new HashMap<>();
    private final Set<Group> notRequired = new HashSet<>();
    private final Map<JobId, Long> rescales = new HashMap<>();
    private final Set<JobId> pausedJobs = new HashSet<>();
    private final Set<Unit> paused = new HashSet<>();
    private long added;

    ArrayAllocationsView(ArrayWorkersView workers) {
        this.workers = workers;
    }

    /** As the other method, for the unit {@code all}. */
    public ArrayAllocationsView add(
            String job, String group, ResourceProfile profile, int worker, int count, long since) {
        return add(job, ALL, group, profile, worker, count, since);
    }

    /**
     * Adds slots of one group on one worker, which have been there since {@code since}. Takes no room of the worker. A slot
     * gets the first index that no other one has.
     */
    public ArrayAllocationsView add(
            String job, String unit, String group, ResourceProfile profile, int worker, int count, long since) {
        for (int slot = 0; slot < count; slot++) {
            added++;
            Row row = new Row(new AllocationId(1, added), group(job, unit, group), profile, worker, since);
            int free = rows.indexOf(null);
            if (free < 0) {
                rows.add(row);
            } else {
                rows.set(free, row);
            }
        }
        return this;
    }

    /** Removes a slot: its job does not have it any longer. Takes nothing and gives nothing back to the worker. */
    public ArrayAllocationsView remove(int allocation) {
        row(allocation);
        rows.set(allocation, null);
        while (!rows.isEmpty() && rows.get(rows.size() - 1) == null) {
            rows.remove(rows.size() - 1);
        }
        return this;
    }

    private static Group group(String job, String unit, String group) {
        return new Group(new Unit(new JobId(job), unit), group);
    }

    /** The group of the unit {@code all} has this minimum; without this call it is 0. */
    public ArrayAllocationsView minimum(String job, String group, int minimum) {
        return minimum(job, ALL, group, minimum);
    }

    /** The group of a unit has this minimum; without this call it is 0. */
    public ArrayAllocationsView minimum(String job, String unit, String group, int minimum) {
        minimums.put(group(job, unit, group), minimum);
        return this;
    }

    /** The job no longer requires the group: it returns such slots by itself. */
    public ArrayAllocationsView notRequired(String job, String unit, String group) {
        notRequired.add(group(job, unit, group));
        return this;
    }

    /** The last rescale of the job cost so much; without this call it is not known. */
    public ArrayAllocationsView lastRescaleMillis(String job, long millis) {
        rescales.put(new JobId(job), millis);
        return this;
    }

    /** The job may not be asked now, for slots of all its units. */
    public ArrayAllocationsView paused(String job) {
        pausedJobs.add(new JobId(job));
        return this;
    }

    /** The job may not be asked for slots of the unit now. */
    public ArrayAllocationsView paused(String job, String unit) {
        paused.add(new Unit(new JobId(job), unit));
        return this;
    }

    /** The job may be asked again, for slots of all its units. */
    public ArrayAllocationsView returnableAgain(String job) {
        JobId id = new JobId(job);
        pausedJobs.remove(id);
        paused.removeIf(unit -> unit.job().equals(id));
        return this;
    }

    @Override
    public int limit() {
        return rows.size();
    }

    @Override
    public boolean present(int allocation) {
        return allocation >= 0 && allocation < rows.size() && rows.get(allocation) != null;
    }

    private Row row(int allocation) {
        if (!present(allocation)) {
            throw new IllegalArgumentException("allocation " + allocation + " is not present; the limit is " + limit());
        }
        return Objects.requireNonNull(rows.get(allocation));
    }

    @Override
    public AllocationId id(int allocation) {
        return row(allocation).id();
    }

    @Override
    public JobId job(int allocation) {
        return row(allocation).group().unit().job();
    }

    @Override
    public String unit(int allocation) {
        return row(allocation).group().unit().name();
    }

    @Override
    public String group(int allocation) {
        return row(allocation).group().name();
    }

    @Override
    public int worker(int allocation) {
        return row(allocation).worker();
    }

    @Override
    public long since(int allocation) {
        return row(allocation).since();
    }

    @Override
    public OptionalLong lastRescaleMillis(int allocation) {
        Long millis = rescales.get(job(allocation));
        return millis == null ? OptionalLong.empty() : OptionalLong.of(millis);
    }

    @Override
    public long amount(int allocation, int dimension) {
        return workers.amount(row(allocation).profile(), dimension);
    }

    @Override
    public int aboveMinimum(int allocation) {
        Group group = row(allocation).group();
        if (notRequired.contains(group)) {
            return 0;
        }
        long held = rows.stream()
                .filter(other -> other != null && other.group().equals(group))
                .count();
        return (int) held - minimums.getOrDefault(group, 0);
    }

    @Override
    public boolean returnable(int allocation) {
        Group group = row(allocation).group();
        return !pausedJobs.contains(group.unit().job())
                && !paused.contains(group.unit())
                && !notRequired.contains(group);
    }
}
