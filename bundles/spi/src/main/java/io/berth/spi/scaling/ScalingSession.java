package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides how a job scales. All calls come one after another, on a guarded thread; the calls of one decision share one
 * deadline.
 */
@ConsumerType
public interface ScalingSession extends AutoCloseable {

    /** The job changed: its view already shows the new state. First of each decision but the one after opening. */
    void delta();

    /**
     * Says what each vertex should have if the cluster can give it; declared to the ResourceManager as desired. Each
     * vertex needs a number from its minimum to its maximum; vertices that forward edges connect get the least of
     * theirs.
     *
     * @param result valid during the call only
     */
    void desire(ParallelismBuilder result);

    /**
     * Says the parallelism of each vertex with the slots that the job has. A vertex of a group gets at most the slots
     * of that group. Leaving a vertex below its minimum means that the job cannot run yet. Vertices that forward edges
     * connect get the least of theirs.
     *
     * @param result valid during the call only
     */
    void plan(ParallelismBuilder result);

    /**
     * Whether a running job should restart at the planned parallelism, after the slots it has changed. Not asked when
     * one of the two answers before broke a rule.
     *
     * @param planned result of {@link #plan} after vertices that forward edges connect were made equal, indexed like the
     *     vertices; the array is the session's to keep
     */
    boolean rescale(int[] planned);

    /**
     * The session is dropped: another policy decides, its configuration changed, it failed, or the job ended. The last
     * call; not made after a call that hung. Must not throw.
     */
    @Override
    void close();
}
