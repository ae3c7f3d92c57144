package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides how a job scales. All calls come one at a time, on a guarded thread. The calls of one decision share one
 * deadline.
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
     * ResourceManager as desired. Each vertex needs a number from its minimum to its maximum. Vertices that are
     * connected by forward edges all get the smallest of their numbers.
     *
     * @param result valid during the call only
     */
    void desire(ParallelismBuilder result);

    /**
     * Says the parallelism of each vertex with the slots that the job has. A vertex gets at most the slots of its
     * group. A vertex below its minimum means that the job cannot run yet. Vertices that are connected by forward
     * edges all get the smallest of their numbers.
     *
     * @param result valid during the call only
     */
    void plan(ParallelismBuilder result);

    /**
     * Whether a running job should restart at the planned parallelism, after its slots changed. Not called when one of
     * the two previous results broke a rule.
     *
     * @param planned result of {@link #plan} after vertices that are connected by forward edges were made equal,
     *     indexed like the vertices; the session may keep the array
     */
    boolean rescale(int[] planned);

    /**
     * Drops the session: another policy decides, its configuration changed, it failed, or the job ended. It is the
     * last call, and it is skipped after a call that hung. Must not throw.
     */
    @Override
    void close();
}
