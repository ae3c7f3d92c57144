package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides how a job scales. All calls come one at a time, on a guarded thread. The calls of one decision share one
 * deadline. A decision is made when the job gets or loses slots, before it starts or starts again, when its bounds
 * changed, when another policy or configuration decides, and when a result asked for a review.
 */
@ConsumerType
public interface ScalingSession extends AutoCloseable {

    /**
     * The job changed, and its view already shows the new state. It is the first call of each decision except the
     * first one after opening.
     */
    void delta();

    /**
     * Says which parallelism each vertex should have if the cluster can provide it. It is declared to the
     * ResourceManager as desired, and it is the upper bound of what the job runs at. Each vertex needs a number from its
     * minimum to its maximum. Vertices that are connected by forward edges all get the smallest of their numbers.
     *
     * @param result valid during the call only
     */
    void desire(ParallelismBuilder result);

    /**
     * Says whether a running job should make a change that is feasible with the slots that it has, as close to the desired
     * parallelism as they allow. Each restart costs the work since the last start. Called only when the job runs, when
     * the change differs from its current parallelism, and when the desired parallelism broke no rule. A job that does
     * not run starts at the feasible parallelism without this call.
     *
     * @param change valid during the call only
     * @param result valid during the call only
     */
    void judge(FeasibleChange change, JudgementBuilder result);

    /**
     * Drops the session: another policy decides, its configuration changed, the bounds of the job changed, it failed, or
     * the job ended. It is the last call, and it is skipped after a call that hung. Must not throw.
     */
    @Override
    void close();
}
