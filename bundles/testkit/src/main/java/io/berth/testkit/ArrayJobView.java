package io.berth.testkit;

import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.policy.rules.scaling.WorkPeaks;
import io.berth.policy.rules.scaling.WorkPeaks.Peaks;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.TaskMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A job to scale. Its history grows with its changes: an earlier state has the figures that were set while the vertices
 * had its parallelism. So set first what is measured, and then the slots or the parallelism that end the state.
 */
public final class ArrayJobView implements JobView {

    private static final int KEY_GROUPS = 128;
    private static final ResourceProfile PROFILE = ResourceProfile.of(1_000, 1_000);

    private static final int MAX_EARLIER = 100;

    private record Earlier(
            long since,
            int[] slots,
            List<Integer> current,
            OptionalLong measuredMillis,
            Map<TaskMetric, Map<Integer, Measured>> metrics) {}

    private record Vertex(int group, int minimum, int desired, int maximum) {}

    private record Edge(int producer, int consumer, EdgeKind kind) {}

    private record Measured(double mean, double greatest) {}

    private final List<Vertex> vertices = new ArrayList<>();
    private final List<Integer> current = new ArrayList<>();
    private final int[] slots;
    private final ResourceProfile[] profiles;
    private final Set<Integer> unshared = new TreeSet<>();
    private final List<Earlier> earlier = new ArrayList<>();
    private final List<Edge> edges = new ArrayList<>();
    private final Map<TaskMetric, Map<Integer, Measured>> metrics = new EnumMap<>(TaskMetric.class);
    private final Map<Integer, Long> backlogSplits = new TreeMap<>();
    private final Map<Integer, Long> backlogRecords = new TreeMap<>();
    private final Map<Integer, Long> lags = new TreeMap<>();
    private final Map<Integer, Integer> lastDesired = new TreeMap<>();
    private final Map<Integer, Long> freeSlots = new TreeMap<>();
    private final Map<Integer, Long> startableSlots = new TreeMap<>();
    private final Map<Integer, Long> queueSlots = new TreeMap<>();
    private OptionalLong measuredMillis = OptionalLong.empty();
    private OptionalLong lastRescaleMillis = OptionalLong.empty();
    private long state;
    private long now;
    private long wallTime;
    private long since;
    private OptionalLong runningSince = OptionalLong.empty();
    private OptionalLong lastRescale = OptionalLong.empty();
    private boolean ran;
    private boolean measuredAtCurrent;
    private WorkPeaks peaks = WorkPeaks.NONE;
    private final Map<Integer, Integer> keyGroups = new HashMap<>();

    /** A job with {@code groups} slot sharing groups and without vertices and slots, at time 0. */
    public ArrayJobView(int groups) {
        slots = new int[groups];
        profiles = new ResourceProfile[groups];
        Arrays.fill(profiles, PROFILE);
    }

    /** Sets what one slot of the group needs, which may be the unknown profile; at first one core. */
    public ArrayJobView profile(int group, ResourceProfile profile) {
        state++;
        profiles[group] = profile;
        return this;
    }

    /** The group has constraints of its own: its slots serve no other group, although that has the same profile. */
    public ArrayJobView withConstraints(int group) {
        state++;
        unshared.add(group);
        return this;
    }

    /**
     * The parallelism that the slots of the view allow, as the host finds it: at most the desired one, the same for vertices
     * that forward edges connect, with the slots of groups that are alike shared evenly.
     *
     * @param desired of each vertex
     * @return empty when the minimum of a vertex does not fit
     */
    public Optional<int[]> feasible(int... desired) {
        SlotAllocator allocator = allocator();
        return allocator
                .feasible(
                        allocator.aligned(desired), Arrays.stream(slots).boxed().toList())
                .map(values -> values.stream().mapToInt(Integer::intValue).toArray());
    }

    SlotAllocator allocator() {
        return new SlotAllocator(
                this,
                (group, other) -> profiles[group].equals(profiles[other])
                        && !unshared.contains(group)
                        && !unshared.contains(other));
    }

    /** Adds a vertex that does not run yet. */
    public ArrayJobView vertex(int group, int minimum, int desired, int maximum) {
        vertices.add(new Vertex(group, minimum, desired, maximum));
        current.add(0);
        return this;
    }

    /** Sets how many slots the job has for the group; the previous state is added to the history. */
    public ArrayJobView slots(int group, int count) {
        remember();
        slots[group] = count;
        return this;
    }

    /** Sets the time. */
    public ArrayJobView now(long millis) {
        state++;
        now = millis;
        return this;
    }

    /** Sets the wall-clock time; at first it is 0, which is the first moment of 1970. */
    public ArrayJobView wallTime(long millis) {
        state++;
        wallTime = millis;
        return this;
    }

    /** Sets what the previous decision desired for a vertex. */
    public ArrayJobView lastDesired(int vertex, int parallelism) {
        state++;
        lastDesired.put(vertex, parallelism);
        return this;
    }

    /** Adds an edge between two vertices. */
    public ArrayJobView edge(int producer, int consumer, EdgeKind kind) {
        edges.add(new Edge(producer, consumer, kind));
        return this;
    }

    /** Sets how much time the figures cover. */
    public ArrayJobView measured(long millis) {
        state++;
        measuredAtCurrent = true;
        measuredMillis = OptionalLong.of(millis);
        return this;
    }

    /** Sets a metric of the tasks of a vertex; what is not set is not known. */
    public ArrayJobView metric(int vertex, TaskMetric metric, double mean, double greatest) {
        state++;
        measuredAtCurrent = true;
        metrics.computeIfAbsent(metric, any -> new TreeMap<>()).put(vertex, new Measured(mean, greatest));
        return this;
    }

    /** Sets how many splits of a source no task has received. */
    public ArrayJobView backlogSplits(int vertex, long splits) {
        state++;
        backlogSplits.put(vertex, splits);
        return this;
    }

    /** Sets how many records remain in the splits that the tasks of a source read. */
    public ArrayJobView backlogRecords(int vertex, long records) {
        state++;
        backlogRecords.put(vertex, records);
        return this;
    }

    /** Sets how far a source lags. */
    public ArrayJobView lag(int vertex, long millis) {
        state++;
        lags.put(vertex, millis);
        return this;
    }

    /** Sets how many more slots the group could get; what is not set is not known. */
    public ArrayJobView room(int group, long free, long startable) {
        state++;
        freeSlots.put(group, free);
        startableSlots.put(group, startable);
        return this;
    }

    /** Sets how many more slots of the group the limit of the queue allows; not limited if it is not set. */
    public ArrayJobView queueRoom(int group, long slotsLeft) {
        state++;
        queueSlots.put(group, slotsLeft);
        return this;
    }

    /** Sets what the last rescale cost. */
    public ArrayJobView lastRescaleMillis(long millis) {
        state++;
        lastRescaleMillis = OptionalLong.of(millis);
        return this;
    }

    /** A decision sees what is measured now: {@link #peakWork} knows it from now on. */
    public ArrayJobView observed() {
        state++;
        double[] work = new double[vertices.size()];
        Arrays.setAll(work, vertex -> mean(vertex, TaskMetric.BUSY).orElse(Double.NaN) * current(vertex));
        peaks = peaks.with(now, Peaks.of(work));
        return this;
    }

    private void remember() {
        state++;
        Map<TaskMetric, Map<Integer, Measured>> known = new EnumMap<>(TaskMetric.class);
        if (measuredAtCurrent) {
            metrics.forEach((metric, of) -> known.put(metric, new TreeMap<>(of)));
        }
        earlier.add(
                0,
                new Earlier(
                        since,
                        slots.clone(),
                        List.copyOf(current),
                        measuredAtCurrent ? measuredMillis : OptionalLong.empty(),
                        known));
        if (earlier.size() > MAX_EARLIER) {
            earlier.remove(MAX_EARLIER);
        }
        since = now;
    }

    /**
     * Sets the current parallelism of the vertex, 0 when it does not run; the previous state is added to the history.
     * The figures of the view stay until others are set.
     */
    public ArrayJobView current(int vertex, int parallelism) {
        remember();
        measuredAtCurrent = false;
        current.set(vertex, parallelism);
        if (parallelism == 0) {
            runningSince = OptionalLong.empty();
        } else {
            lastRescale = ran ? OptionalLong.of(now) : lastRescale;
            runningSince = OptionalLong.of(now);
            ran = true;
        }
        return this;
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
    public JobId job() {
        return new JobId("job");
    }

    @Override
    public int vertices() {
        return vertices.size();
    }

    @Override
    public String vertex(int vertex) {
        return "vertex-" + vertex;
    }

    @Override
    public int group(int vertex) {
        return vertices.get(vertex).group();
    }

    @Override
    public int minimum(int vertex) {
        return vertices.get(vertex).minimum();
    }

    @Override
    public int desired(int vertex) {
        return vertices.get(vertex).desired();
    }

    @Override
    public int maximum(int vertex) {
        return vertices.get(vertex).maximum();
    }

    @Override
    public int current(int vertex) {
        return current.get(vertex);
    }

    @Override
    public int keyGroups(int vertex) {
        return keyGroups.getOrDefault(vertex, Math.max(KEY_GROUPS, maximum(vertex)));
    }

    /** Sets the number of key groups of a vertex; at first it is 128, or its maximum if that is more. */
    public ArrayJobView keyGroups(int vertex, int number) {
        keyGroups.put(vertex, number);
        return this;
    }

    @Override
    public OptionalInt lastDesired(int vertex) {
        return lastDesired.containsKey(vertex) ? OptionalInt.of(lastDesired.get(vertex)) : OptionalInt.empty();
    }

    @Override
    public int edges() {
        return edges.size();
    }

    @Override
    public int producer(int edge) {
        return edges.get(edge).producer();
    }

    @Override
    public int consumer(int edge) {
        return edges.get(edge).consumer();
    }

    @Override
    public EdgeKind kind(int edge) {
        return edges.get(edge).kind();
    }

    @Override
    public boolean source(int vertex) {
        return edges.stream().noneMatch(edge -> edge.consumer() == vertex);
    }

    @Override
    public boolean sink(int vertex) {
        return edges.stream().noneMatch(edge -> edge.producer() == vertex);
    }

    @Override
    public boolean keyed(int vertex) {
        return edges.stream().anyMatch(edge -> edge.consumer() == vertex && edge.kind() == EdgeKind.HASH);
    }

    @Override
    public OptionalLong measuredMillis() {
        return measuredMillis;
    }

    @Override
    public OptionalDouble recordsInPerSecond(int vertex) {
        return sum(vertex, TaskMetric.RECORDS_IN);
    }

    @Override
    public OptionalDouble recordsOutPerSecond(int vertex) {
        return sum(vertex, TaskMetric.RECORDS_OUT);
    }

    private OptionalDouble sum(int vertex, TaskMetric metric) {
        OptionalDouble mean = mean(vertex, metric);
        return mean.isEmpty() ? mean : OptionalDouble.of(mean.getAsDouble() * current(vertex));
    }

    private Optional<Measured> find(int vertex, TaskMetric metric) {
        return find(metrics, vertex, metric);
    }

    private static Optional<Measured> find(
            Map<TaskMetric, Map<Integer, Measured>> metrics, int vertex, TaskMetric metric) {
        return Optional.ofNullable(metrics.getOrDefault(metric, Map.of()).get(vertex));
    }

    @Override
    public OptionalDouble mean(int vertex, TaskMetric metric) {
        return find(vertex, metric).stream().mapToDouble(Measured::mean).findFirst();
    }

    @Override
    public OptionalDouble greatest(int vertex, TaskMetric metric) {
        return find(vertex, metric).stream().mapToDouble(Measured::greatest).findFirst();
    }

    private static OptionalLong known(Map<Integer, Long> values, int vertex) {
        return values.containsKey(vertex) ? OptionalLong.of(values.get(vertex)) : OptionalLong.empty();
    }

    @Override
    public OptionalLong backlogSplits(int vertex) {
        return known(backlogSplits, vertex);
    }

    @Override
    public OptionalLong backlogRecords(int vertex) {
        return known(backlogRecords, vertex);
    }

    @Override
    public OptionalLong lagMillis(int vertex) {
        return known(lags, vertex);
    }

    @Override
    public OptionalLong freeSlots(int group) {
        return known(freeSlots, group);
    }

    @Override
    public OptionalLong startableSlots(int group) {
        return known(startableSlots, group);
    }

    @Override
    public OptionalLong queueSlots(int group) {
        return known(queueSlots, group);
    }

    @Override
    public OptionalLong lastRescaleMillis() {
        return lastRescaleMillis;
    }

    @Override
    public OptionalLong runningSince() {
        return runningSince;
    }

    @Override
    public OptionalLong lastRescale() {
        return lastRescale;
    }

    @Override
    public OptionalDouble peakWork(int vertex, long millis) {
        return peaks.peak(now, vertex, millis);
    }

    @Override
    public int history() {
        return earlier.size();
    }

    @Override
    public long historySince(int entry) {
        return earlier.get(entry).since();
    }

    @Override
    public int historySlots(int entry, int group) {
        return earlier.get(entry).slots()[group];
    }

    @Override
    public int historyCurrent(int entry, int vertex) {
        return earlier.get(entry).current().get(vertex);
    }

    @Override
    public OptionalLong historyMeasuredMillis(int entry) {
        return earlier.get(entry).measuredMillis();
    }

    @Override
    public OptionalDouble historyRecordsInPerSecond(int entry, int vertex) {
        return historySum(entry, vertex, TaskMetric.RECORDS_IN);
    }

    @Override
    public OptionalDouble historyRecordsOutPerSecond(int entry, int vertex) {
        return historySum(entry, vertex, TaskMetric.RECORDS_OUT);
    }

    private OptionalDouble historySum(int entry, int vertex, TaskMetric metric) {
        OptionalDouble mean = historyMean(entry, vertex, metric);
        return mean.isEmpty() ? mean : OptionalDouble.of(mean.getAsDouble() * historyCurrent(entry, vertex));
    }

    @Override
    public OptionalDouble historyMean(int entry, int vertex, TaskMetric metric) {
        return find(earlier.get(entry).metrics(), vertex, metric).stream()
                .mapToDouble(Measured::mean)
                .findFirst();
    }

    @Override
    public int groups() {
        return slots.length;
    }

    @Override
    public String groupName(int group) {
        return "group-" + group;
    }

    @Override
    public ResourceProfile profile(int group) {
        return profiles[group];
    }

    @Override
    public int slots(int group) {
        return slots[group];
    }
}
