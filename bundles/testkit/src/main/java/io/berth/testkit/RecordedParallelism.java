package io.berth.testkit;

import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
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

    /** What a scaling policy said of a change. */
    public static final class Judgement implements JudgementBuilder {

        private final RecordedReview review = new RecordedReview();
        private boolean judged;
        private boolean accepted;
        private String reason = "";

        /** A change to this parallelism of each vertex, bounded by the slots only. */
        public static FeasibleChange change(int... parallelism) {
            int[] values = parallelism.clone();
            return new FeasibleChange() {
                @Override
                public int parallelism(int vertex) {
                    return values[vertex];
                }

                @Override
                public String bound() {
                    return "";
                }
            };
        }

        /** Whether the policy said anything that counts: accept, decline or reviewAfter. */
        public boolean judged() {
            return judged || review.millis().isPresent();
        }

        /** Whether the job restarts. */
        public boolean accepted() {
            return accepted;
        }

        /** The reason that the policy gave, or the empty text. */
        public String reason() {
            return reason;
        }

        /** The smallest time after which the policy asked for another call; empty when it did not. */
        public OptionalLong reviewMillis() {
            return review.millis();
        }

        @Override
        public void accept() {
            judged = true;
            accepted = true;
        }

        @Override
        public void decline() {
            judged = true;
            accepted = false;
        }

        @Override
        public void reason(String text) {
            reason = text;
        }

        @Override
        public void reviewAfter(long millis) {
            review.after(millis);
        }
    }
}
