package io.berth.policy.rules.scaling;

import io.berth.policy.rules.BuilderAccess;
import io.berth.policy.rules.PlainText;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import java.util.Optional;

/** Collects the desired parallelism of each vertex and names the first rule that the policy breaks. */
public final class DesireResult implements ParallelismBuilder {

    private final JobView job;
    private final int[] values;
    private final BuilderAccess rules = new BuilderAccess();
    private volatile String reason = "";

    public DesireResult(JobView job) {
        this.job = job;
        values = new int[job.vertices()];
    }

    public BuilderAccess rules() {
        return rules;
    }

    /** Only valid without a violation. */
    public int[] values() {
        return values;
    }

    public String reason() {
        return reason;
    }

    /** The first broken rule so far, including those of the complete answer. */
    public Optional<String> violation() {
        if (rules.violation().isPresent()) {
            return rules.violation();
        }
        for (int vertex = 0; vertex < values.length; vertex++) {
            if (values[vertex] < job.minimum(vertex)) {
                return Optional.of("desires parallelism " + values[vertex] + " of vertex " + job.vertex(vertex) + ": "
                        + job.minimum(vertex) + " to " + job.maximum(vertex) + " is allowed");
            }
        }
        return Optional.empty();
    }

    @Override
    public void parallelism(int vertex, int parallelism) {
        if (!rules.open()) {
            return;
        }
        if (vertex < 0 || vertex >= values.length) {
            rules.violated("names vertex " + vertex + " of " + values.length);
        } else if (parallelism < 0 || parallelism > job.maximum(vertex)) {
            rules.violated("desires parallelism " + parallelism + " of vertex " + job.vertex(vertex) + ": at most "
                    + job.maximum(vertex) + " is allowed");
        } else {
            values[vertex] = parallelism;
        }
    }

    @Override
    public void reason(String text) {
        if (rules.open()) {
            reason = PlainText.cut(text);
        }
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}
