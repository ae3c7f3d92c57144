package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/** Decides how a job scales. All calls come one after another, on a guarded thread. */
@ConsumerType
public interface ScalingSession extends AutoCloseable {

    /** The job changed: its view already shows the new state. */
    void delta();

    /** Says what each vertex should have if the cluster can give it; declared to the ResourceManager as desired. */
    void desire(ParallelismBuilder result);

    /**
     * Says the parallelism of each vertex with the slots that the job has. A vertex of a group gets at most the slots
     * of that group. Leaving a vertex below its minimum means that the job cannot run yet.
     */
    void plan(ParallelismBuilder result);

    /**
     * Whether a running job should restart at the planned parallelism, after the slots it has changed.
     *
     * @param result of {@link #plan}, indexed like the vertices
     */
    boolean rescale(int[] planned);

    /** The session is dropped. Must not throw. */
    @Override
    void close();
}
