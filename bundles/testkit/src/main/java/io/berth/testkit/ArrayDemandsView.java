package io.berth.testkit;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Units that compete for slots. */
public final class ArrayDemandsView implements DemandsView {

    private static final List<String> DIMENSIONS = List.of("cpu", "heap", "off-heap", "managed");

    private static final class Group {
        private final ResourceProfile profile;
        private final int minimum;
        private final int desired;
        private int allocated;
        private int returning;
        private boolean capped;

        private Group(ResourceProfile profile, int minimum, int desired, int allocated) {
            this.profile = profile;
            this.minimum = minimum;
            this.desired = desired;
            this.allocated = allocated;
        }
    }

    private record Row(
            JobId job, long submissionIndex, int priority, SortedMap<String, String> labels, List<Group> groups) {}

    /** What is known of the job beside its requirements. */
    private record Submitted(String queue, Optional<String> submitter, OptionalLong expectedRuntime, int learnedFrom) {}

    private static final Submitted PLAIN = new Submitted("default", Optional.empty(), OptionalLong.empty(), 0);

    private final List<Row> rows = new ArrayList<>();
    private final SortedMap<Integer, String> names = new TreeMap<>();
    private final SortedMap<Integer, Submitted> submitted = new TreeMap<>();
    private final ArrayQueuesView queues = new ArrayQueuesView(this);
    private final SortedMap<Integer, Long> arrived = new TreeMap<>();
    private final SortedMap<Integer, Long> waiting = new TreeMap<>();
    private final SortedMap<Integer, Long> running = new TreeMap<>();
    private long state;
    private long now;
    private long wallTime;
    private final Set<Integer> blocked = new TreeSet<>();
    private final Set<Integer> paused = new TreeSet<>();
    private ResourceProfile capacity = ResourceProfile.of(0, 0);
    private ResourceProfile free = ResourceProfile.of(0, 0);
    private ResourceProfile startable = ResourceProfile.of(0, 0);
    private ResourceProfile defaultSlot = ResourceProfile.of(0, 0);

    /** Adds a unit without groups at the next index. */
    public ArrayDemandsView unit(String job, long submissionIndex) {
        return put(rows.size(), job, submissionIndex);
    }

    /** Puts a unit without groups at an index, at most the number of units. */
    public ArrayDemandsView put(int index, String job, long submissionIndex) {
        queues.changed(index);
        state++;
        blocked.remove(index);
        paused.remove(index);
        submitted.remove(index);
        names.remove(index);
        arrived.remove(index);
        waiting.remove(index);
        running.remove(index);
        Row row = new Row(new JobId(job), submissionIndex, 0, new TreeMap<>(), new ArrayList<>());
        if (index == rows.size()) {
            rows.add(row);
        } else {
            rows.set(index, row);
        }
        return this;
    }

    /** Sets the time. */
    public ArrayDemandsView now(long millis) {
        state++;
        now = millis;
        return this;
    }

    /** Sets the wall-clock time; at first it is 0, which is the first moment of 1970. */
    public ArrayDemandsView wallTime(long millis) {
        state++;
        wallTime = millis;
        return this;
    }

    /** Sets the name of the unit within its job; at first {@code all}. */
    public ArrayDemandsView name(int unit, String name) {
        state++;
        names.put(unit, name);
        return this;
    }

    /** Sets when the unit arrived. */
    public ArrayDemandsView arrived(int unit, long millis) {
        arrived.put(unit, millis);
        return this;
    }

    /** Sets since when the unit has waited for its minimum. */
    public ArrayDemandsView waitingSince(int unit, long millis) {
        waiting.put(unit, millis);
        return this;
    }

    /** Sets since when the unit has had its minimum. */
    public ArrayDemandsView runningSince(int unit, long millis) {
        running.put(unit, millis);
        return this;
    }

    /** Sets the queue that the job of the unit was submitted to; at first {@code default}. */
    public ArrayDemandsView queue(int unit, String name) {
        queues.changed(unit);
        Submitted before = submitted(unit);
        submitted.put(unit, new Submitted(name, before.submitter(), before.expectedRuntime(), before.learnedFrom()));
        return this;
    }

    /** Sets who submitted the job of the unit; at first it is not known. */
    public ArrayDemandsView submitter(int unit, String name) {
        Submitted before = submitted(unit);
        submitted.put(
                unit, new Submitted(before.queue(), Optional.of(name), before.expectedRuntime(), before.learnedFrom()));
        return this;
    }

    /** Sets how long the job of the unit is expected to run, by its submitter; at first it is not known. */
    public ArrayDemandsView expectedRuntime(int unit, long millis) {
        return learnedRuntime(unit, millis, 0);
    }

    /** Sets how long the job of the unit is expected to run, as it was learned from a number of runs. */
    public ArrayDemandsView learnedRuntime(int unit, long millis, int runs) {
        Submitted before = submitted(unit);
        submitted.put(unit, new Submitted(before.queue(), before.submitter(), OptionalLong.of(millis), runs));
        return this;
    }

    private Submitted submitted(int unit) {
        return submitted.getOrDefault(unit, PLAIN);
    }

    /** Sets the priority of the unit; at first it is 0. */
    public ArrayDemandsView priority(int unit, int priority) {
        state++;
        Row row = rows.get(unit);
        rows.set(unit, new Row(row.job(), row.submissionIndex(), priority, row.labels(), row.groups()));
        return this;
    }

    /** The job of the unit has a label. */
    public ArrayDemandsView label(int unit, String key, String value) {
        Row row = rows.get(unit);
        SortedMap<String, String> labels = new TreeMap<>(row.labels());
        labels.put(key, value);
        rows.set(unit, new Row(row.job(), row.submissionIndex(), row.priority(), labels, row.groups()));
        return this;
    }

    /** Adds a group to the unit at an index. */
    public ArrayDemandsView group(int unit, ResourceProfile profile, int minimum, int desired, int allocated) {
        queues.changed(unit);
        state++;
        rows.get(unit).groups().add(new Group(profile, minimum, desired, allocated));
        return this;
    }

    /** Sets how many slots the unit has in the group. */
    public ArrayDemandsView allocated(int unit, int group, int allocated) {
        queues.changed(unit);
        state++;
        rows.get(unit).groups().get(group).allocated = allocated;
        return this;
    }

    /** The minimum of the unit found no room in this decision: it is no candidate until {@link #endDecision}. */
    public ArrayDemandsView withoutRoom(int unit) {
        blocked.add(unit);
        return this;
    }

    /**
     * Slots of the group found no room in this decision: it desires only what it has until {@link #endDecision}, even if
     * that is less than its minimum.
     */
    public ArrayDemandsView withoutRoom(int unit, int group) {
        queues.changed(unit);
        rows.get(unit).groups().get(group).capped = true;
        return this;
    }

    /** A round of this decision placed slots of the group. They take what they need of what is free. */
    public ArrayDemandsView placed(int unit, int group, int count) {
        queues.changed(unit);
        Group one = rows.get(unit).groups().get(group);
        one.allocated += count;
        ResourceProfile slot = one.profile.isUnknown() ? defaultSlot : one.profile;
        free = free.minus(slot.times(count));
        return this;
    }

    /**
     * The job of the unit was asked to return so many slots of the group, and has not yet: it may not be asked for others
     * until {@link #returnableAgain}.
     */
    public ArrayDemandsView returning(int unit, int group, int count) {
        rows.get(unit).groups().get(group).returning = count;
        return paused(unit);
    }

    /** The job of the unit may not be asked for slots from now on. */
    public ArrayDemandsView paused(int unit) {
        state++;
        paused.add(unit);
        return this;
    }

    /** The job of the unit may be asked for slots again, and returns none that it was asked for before. */
    public ArrayDemandsView returnableAgain(int unit) {
        state++;
        paused.remove(unit);
        rows.get(unit).groups().forEach(group -> group.returning = 0);
        return this;
    }

    /** A decision ends: all units are candidates again, and desire what they did. */
    public ArrayDemandsView endDecision() {
        state++;
        blocked.clear();
        for (int unit = 0; unit < rows.size(); unit++) {
            for (int group = 0; present(unit) && group < groups(unit); group++) {
                if (rows.get(unit).groups().get(group).capped) {
                    rows.get(unit).groups().get(group).capped = false;
                    queues.changed(unit);
                }
            }
        }
        return this;
    }

    /** Sets what the workers have together, and what of it is free; at first nothing. */
    public ArrayDemandsView pool(ResourceProfile total, ResourceProfile ofItFree) {
        state++;
        capacity = total;
        free = ofItFree;
        return this;
    }

    /** Sets what backends could still start; at first nothing. */
    public ArrayDemandsView startable(ResourceProfile more) {
        state++;
        startable = more;
        return this;
    }

    /** Sets what a slot of the unknown profile takes; at first nothing. */
    public ArrayDemandsView defaultSlot(ResourceProfile slot) {
        allChanged();
        state++;
        defaultSlot = slot;
        return this;
    }

    /** Removes the unit. */
    public ArrayDemandsView remove(int unit) {
        queues.changed(unit);
        state++;
        blocked.remove(unit);
        paused.remove(unit);
        rows.set(unit, null);
        return this;
    }

    /** Queues use and need something else of each unit. */
    void allChanged() {
        for (int unit = 0; unit < rows.size(); unit++) {
            queues.changed(unit);
        }
    }

    @Override
    public long stateNumber() {
        return state;
    }

    @Override
    public long now() {
        return now;
    }

    @Override
    public long wallTime() {
        return wallTime;
    }

    @Override
    public long arrived(int unit) {
        return arrived.getOrDefault(unit, 0L);
    }

    @Override
    public OptionalLong waitingSince(int unit) {
        return hasMinimum(unit) ? OptionalLong.empty() : OptionalLong.of(waiting.getOrDefault(unit, arrived(unit)));
    }

    @Override
    public OptionalLong runningSince(int unit) {
        return hasMinimum(unit) ? OptionalLong.of(running.getOrDefault(unit, arrived(unit))) : OptionalLong.empty();
    }

    private boolean hasMinimum(int unit) {
        for (int group = 0; group < groups(unit); group++) {
            if (allocated(unit, group) < minimum(unit, group)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int limit() {
        return rows.size();
    }

    @Override
    public boolean present(int unit) {
        return unit >= 0 && unit < rows.size() && rows.get(unit) != null;
    }

    @Override
    public boolean returnable(int unit) {
        return !paused.contains(unit);
    }

    @Override
    public boolean candidate(int unit) {
        return present(unit) && !blocked.contains(unit);
    }

    @Override
    public int dimensions() {
        return DIMENSIONS.size();
    }

    @Override
    public String dimension(int dimension) {
        return DIMENSIONS.get(dimension);
    }

    @Override
    public long capacity(int dimension) {
        return amount(capacity, dimension);
    }

    @Override
    public long free(int dimension) {
        return amount(free, dimension);
    }

    @Override
    public long startable(int dimension) {
        return amount(startable, dimension);
    }

    @Override
    public long amount(int unit, int group, int dimension) {
        ResourceProfile profile = profile(unit, group);
        return amount(profile.isUnknown() ? defaultSlot : profile, dimension);
    }

    static long amount(ResourceProfile profile, int dimension) {
        return switch (dimension) {
            case 0 -> profile.cpuMillis();
            case 1 -> profile.heapBytes();
            case 2 -> profile.offHeapBytes();
            case 3 -> profile.managedBytes();
            default -> throw new IndexOutOfBoundsException("dimension " + dimension + " of " + DIMENSIONS.size());
        };
    }

    @Override
    public JobId job(int unit) {
        return rows.get(unit).job();
    }

    @Override
    public String name(int unit) {
        return names.getOrDefault(unit, "all");
    }

    @Override
    public long submissionIndex(int unit) {
        return rows.get(unit).submissionIndex();
    }

    @Override
    public String queue(int unit) {
        return submitted(unit).queue();
    }

    @Override
    public Optional<String> submitter(int unit) {
        return submitted(unit).submitter();
    }

    @Override
    public OptionalLong expectedRuntime(int unit) {
        return submitted(unit).expectedRuntime();
    }

    @Override
    public int runtimeLearnedFrom(int unit) {
        return submitted(unit).learnedFrom();
    }

    /** The tree of queues; at first there is only its root. */
    @Override
    public ArrayQueuesView queues() {
        return queues;
    }

    @Override
    public int priority(int unit) {
        return rows.get(unit).priority();
    }

    @Override
    public Optional<String> label(int unit, String key) {
        return Optional.ofNullable(rows.get(unit).labels().get(key));
    }

    @Override
    public int groups(int unit) {
        return rows.get(unit).groups().size();
    }

    @Override
    public String groupName(int unit, int group) {
        return "group-" + group;
    }

    @Override
    public ResourceProfile profile(int unit, int group) {
        return rows.get(unit).groups().get(group).profile;
    }

    @Override
    public int minimum(int unit, int group) {
        return rows.get(unit).groups().get(group).minimum;
    }

    @Override
    public int desired(int unit, int group) {
        Group one = rows.get(unit).groups().get(group);
        int wanted = Math.max(one.minimum, one.desired);
        return one.capped ? Math.min(wanted, one.allocated) : wanted;
    }

    @Override
    public int allocated(int unit, int group) {
        return rows.get(unit).groups().get(group).allocated;
    }

    @Override
    public int returning(int unit, int group) {
        return rows.get(unit).groups().get(group).returning;
    }
}
