package io.berth.scaling.reactive;

import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;

/** Decides from the view alone and keeps nothing. */
final class ReactiveSession implements ScalingSession {

    private final JobView job;

    ReactiveSession(JobView job) {
        this.job = job;
    }

    @Override
    public void delta() {
        // It has no state to update.
    }

    @Override
    public void desire(ParallelismBuilder result) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            result.parallelism(vertex, job.maximum(vertex));
        }
    }

    @Override
    public void plan(ParallelismBuilder result) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            int slots = job.slots(job.group(vertex));
            if (slots < job.minimum(vertex)) {
                result.reason("group " + job.groupName(job.group(vertex)) + " has " + slots + " slots, vertex "
                        + job.vertex(vertex) + " needs " + job.minimum(vertex));
            } else {
                result.parallelism(vertex, Math.min(slots, job.maximum(vertex)));
            }
        }
    }

    @Override
    public boolean rescale(int[] planned) {
        boolean other = false;
        for (int vertex = 0; vertex < planned.length; vertex++) {
            if (planned[vertex] < job.minimum(vertex) || job.current(vertex) == 0) {
                return false;
            }
            other |= planned[vertex] != job.current(vertex);
        }
        return other;
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
