package io.berth.scaling.reactive;

import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
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
    public void judge(FeasibleChange change, JudgementBuilder result) {
        result.accept();
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
