package io.berth.testkit;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.JobView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.TreeMap;

/** A job to scale. */
public final class ArrayJobView implements JobView {

    private record Earlier(long since, int[] slots, List<Integer> current) {}

    private record Vertex(int group, int minimum, int desired, int maximum) {}

    private final List<Vertex> vertices = new ArrayList<>();
    private final List<Integer> current = new ArrayList<>();
    private final int[] slots;
    private final List<Earlier> earlier = new ArrayList<>();
    private final Map<Integer, Double> recordsIn = new TreeMap<>();
    private final Map<Integer, Double> busy = new TreeMap<>();
    private long state;
    private long now;
    private long wallTime;
    private long since;
    private OptionalLong runningSince = OptionalLong.empty();
    private OptionalLong lastRescale = OptionalLong.empty();
    private boolean ran;

    /** A job with {@code groups} slot sharing groups and without vertices and slots, at time 0. */
    public ArrayJobView(int groups) {
        slots = new int[groups];
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

    /** Sets what a source of metrics would report for a vertex. */
    public ArrayJobView metrics(int vertex, double recordsInPerSecond, double busyShare) {
        state++;
        recordsIn.put(vertex, recordsInPerSecond);
        busy.put(vertex, busyShare);
        return this;
    }

    private void remember() {
        state++;
        earlier.add(0, new Earlier(since, slots.clone(), List.copyOf(current)));
        since = now;
    }

    /**
     * Sets the current parallelism of the vertex, 0 when it does not run; the previous state is added to the history.
     */
    public ArrayJobView current(int vertex, int parallelism) {
        remember();
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
    public OptionalDouble recordsInPerSecond(int vertex) {
        return recordsIn.containsKey(vertex) ? OptionalDouble.of(recordsIn.get(vertex)) : OptionalDouble.empty();
    }

    @Override
    public OptionalDouble busyShare(int vertex) {
        return busy.containsKey(vertex) ? OptionalDouble.of(busy.get(vertex)) : OptionalDouble.empty();
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
    public int groups() {
        return slots.length;
    }

    @Override
    public String groupName(int group) {
        return "group-" + group;
    }

    @Override
    public ResourceProfile profile(int group) {
        return ResourceProfile.of(1_000, 1_000);
    }

    @Override
    public int slots(int group) {
        return slots[group];
    }
}
