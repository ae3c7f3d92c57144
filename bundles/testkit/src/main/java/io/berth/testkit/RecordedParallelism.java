package io.berth.testkit;

import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;

/** What a scaling policy answered. */
public final class RecordedParallelism implements ParallelismBuilder {

    private final int[] values;
    private String reason = "";

    /** Nothing is answered yet: each vertex has parallelism 0. */
    public RecordedParallelism(JobView job) {
        values = new int[job.vertices()];
    }

    /** The parallelism of each vertex. */
    public int[] values() {
        return values;
    }

    /** What the policy gave as its reason, or the empty text. */
    public String reason() {
        return reason;
    }

    @Override
    public void parallelism(int vertex, int parallelism) {
        values[vertex] = parallelism;
    }

    @Override
    public void reason(String text) {
        reason = text;
    }
}
