package io.berth.policy.support.scaling;

import io.berth.spi.scaling.EdgeKind;
import io.berth.spi.scaling.JobView;

/**
 * The vertices that forward edges connect. They always run at one parallelism, so the bounds of one bind all of them.
 * Reads the graph once, since it is constant. Immutable.
 */
public final class ForwardVertices {

    /** Smallest index of the vertices that are connected. */
    private final int[] first;

    private final int[] minimum;
    private final int[] maximum;

    /** Reads the graph of the job. */
    public ForwardVertices(JobView job) {
        int vertices = job.vertices();
        first = new int[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            first[vertex] = vertex;
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (int edge = 0; edge < job.edges(); edge++) {
                moved |= job.kind(edge) == EdgeKind.FORWARD && connect(job.producer(edge), job.consumer(edge));
            }
        }
        int[] lowest = new int[vertices];
        int[] highest = new int[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            int set = first[vertex];
            lowest[set] = Math.max(lowest[set], job.minimum(vertex));
            highest[set] = highest[set] == 0 ? job.maximum(vertex) : Math.min(highest[set], job.maximum(vertex));
        }
        minimum = new int[vertices];
        maximum = new int[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            minimum[vertex] = lowest[first[vertex]];
            maximum[vertex] = highest[first[vertex]];
        }
    }

    private boolean connect(int one, int other) {
        int smallest = Math.min(first[one], first[other]);
        boolean moved = first[one] != smallest || first[other] != smallest;
        first[one] = smallest;
        first[other] = smallest;
        return moved;
    }

    /** The largest minimum of the vertices that are connected with this one. */
    public int minimum(int vertex) {
        return minimum[vertex];
    }

    /** The smallest maximum of the vertices that are connected with this one. */
    public int maximum(int vertex) {
        return maximum[vertex];
    }

    /** The parallelism, or the nearest one that the bounds of all connected vertices allow. */
    public int within(int vertex, long parallelism) {
        return (int) Math.max(minimum[vertex], Math.min(maximum[vertex], parallelism));
    }

    /** Gives connected vertices the largest parallelism that one of them has here, within their bounds. */
    public void level(int[] parallelism) {
        for (int vertex = 0; vertex < parallelism.length; vertex++) {
            int set = first[vertex];
            parallelism[set] = Math.max(parallelism[set], parallelism[vertex]);
        }
        for (int vertex = parallelism.length - 1; vertex >= 0; vertex--) {
            parallelism[vertex] = within(vertex, parallelism[first[vertex]]);
        }
    }
}
