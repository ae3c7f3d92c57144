package io.berth.testkit;

import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import java.util.OptionalLong;

/** What a scaling policy returned. */
public final class RecordedParallelism implements ParallelismBuilder {

    private final RecordedReview review = new RecordedReview();

    private final int[] values;
    private String reason = "";

    /** At first, each vertex has parallelism 0. */
    public RecordedParallelism(JobView job) {
        values = new int[job.vertices()];
    }

    /** The parallelism of each vertex. */
    public int[] values() {
        return values;
    }

    /** The reason that the policy gave, or the empty text. */
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

    /** The smallest time after which the policy asked for another call; empty when it did not. */
    public OptionalLong reviewMillis() {
        return review.millis();
    }

    @Override
    public void reviewAfter(long millis) {
        review.after(millis);
    }
}
