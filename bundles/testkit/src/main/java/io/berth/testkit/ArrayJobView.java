package io.berth.testkit;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.scaling.JobView;
import java.util.ArrayList;
import java.util.List;

/** A job to scale. */
public final class ArrayJobView implements JobView {

    private record Vertex(int group, int minimum, int desired, int maximum) {}

    private final List<Vertex> vertices = new ArrayList<>();
    private final List<Integer> current = new ArrayList<>();
    private final int[] slots;
    private long state;

    public ArrayJobView(int groups) {
        slots = new int[groups];
    }

    public ArrayJobView vertex(int group, int minimum, int desired, int maximum) {
        vertices.add(new Vertex(group, minimum, desired, maximum));
        current.add(0);
        return this;
    }

    public ArrayJobView slots(int group, int count) {
        state++;
        slots[group] = count;
        return this;
    }

    public ArrayJobView current(int vertex, int parallelism) {
        state++;
        current.set(vertex, parallelism);
        return this;
    }

    @Override
    public long stateNumber() {
        return state;
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
