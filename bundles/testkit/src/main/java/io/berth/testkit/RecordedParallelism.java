package io.berth.testkit;

import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;

/** What a scaling policy answered. */
public final class RecordedParallelism implements ParallelismBuilder {

    private final int[] values;
    private String reason = "";

    public RecordedParallelism(JobView job) {
        values = new int[job.vertices()];
    }

    public int[] values() {
        return values;
    }

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
