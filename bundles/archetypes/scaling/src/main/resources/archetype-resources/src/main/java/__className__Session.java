package ${package};

import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;

/** Decides from the view alone and keeps nothing. */
final class ${className}Session implements ScalingSession {

    private final JobView job;
    private final double share;
    private final long leastChange;

    ${className}Session(JobView job, double share, long leastChange) {
        this.job = job;
        this.share = share;
        this.leastChange = leastChange;
    }

    @Override
    public void delta() {
        // The view shows it.
    }

    @Override
    public void desire(ParallelismBuilder result) {
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            int wished = (int) Math.ceil(share * job.maximum(vertex));
            result.parallelism(vertex, Math.max(job.minimum(vertex), wished));
        }
    }

    @Override
    public void judge(FeasibleChange change, JudgementBuilder result) {
        int added = 0;
        for (int vertex = 0; vertex < job.vertices(); vertex++) {
            added += change.parallelism(vertex) - job.current(vertex);
        }
        if (added < 0 || added >= leastChange) {
            result.accept();
        } else {
            result.reason("adds " + added + " tasks; a restart is worth it from " + leastChange + " on");
            result.decline();
        }
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
