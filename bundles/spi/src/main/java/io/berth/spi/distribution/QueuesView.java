package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ProviderType;

/**
 * The queues of a pool, as the operator configured them: a tree by index, in which parents come before their children.
 * Index 0 is the root, which is all there is when nothing is configured. What a queue uses, needs and used includes the
 * queues below it. Amounts are by resource, as in {@link DemandsView}. The tree changes only between calls, and without a
 * {@link AdmissionSession#delta}; {@link #revision} tells.
 */
@ProviderType
public interface QueuesView {

    /** How many queues there are, at least 1. */
    int size();

    /** A number that changes when the operator changes the queues. */
    int revision();

    /** The queue of that name; the root when there is none, as for a job that was submitted before its queue went. */
    int find(String name);

    /** Name of the queue, which no other queue of the pool has; {@code root} for the root. */
    String name(int queue);

    /** The queue above; -1 for the root. */
    int parent(int queue);

    /** Its share of what its parent has, in proportion to its siblings' weights; above 0, 1 unless configured. */
    double weight(int queue);

    /** What it should have whenever its jobs can use it; 0 when nothing is guaranteed. */
    long guaranteed(int queue, int dimension);

    /** What it may have at most; {@link Long#MAX_VALUE} when there is no limit. The host does not enforce it. */
    long limit(int queue, int dimension);

    /** What its units have, with what this decision placed. */
    long used(int queue, int dimension);

    /** What its units lack of what they desire, candidates or not. */
    long pending(int queue, int dimension);

    /**
     * What it used over time: amount times seconds, of which half is forgotten after each half-life that the operator
     * configured for the pool. It survives a restart of the ResourceManager, except for the last seconds.
     */
    double usedSeconds(int queue, int dimension);

    /** The same for all jobs of a submitter. */
    double usedSeconds(String submitter, int dimension);
}
