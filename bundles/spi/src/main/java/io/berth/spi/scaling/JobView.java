package io.berth.spi.scaling;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A job as a scaling policy sees it: vertices over an index, and the slot sharing groups they run in. Read in calls only;
 * its content changes between them. The numbers of vertices and groups are constant.
 */
@ProviderType
public interface JobView {

    /** Number of the state that the view shows; grows with each change. */
    long stateNumber();

    /**
     * Time of the state in the milliseconds of {@link io.berth.spi.PolicyContext#now}; constant during a decision, so
     * that what is derived from it can be replayed.
     */
    long now();

    /** The job that is scaled. */
    JobId job();

    /** How many vertices the job has; their indexes count from 0. */
    int vertices();

    /** Name of the vertex. */
    String vertex(int vertex);

    /** Index of the slot sharing group of the vertex. */
    int group(int vertex);

    /** Lower bound of scaling. */
    int minimum(int vertex);

    /** Parallelism that the job asks for, at least the minimum. */
    int desired(int vertex);

    /** Upper bound of scaling, at least the desired parallelism. */
    int maximum(int vertex);

    /** Parallelism that the vertex runs at, 0 when the job does not run. */
    int current(int vertex);

    /**
     * Records that all tasks of the vertex take in together per second, where something measures it. Empty otherwise: a
     * policy has to decide without.
     */
    OptionalDouble recordsInPerSecond(int vertex);

    /**
     * Share of their time, from 0 to 1, that the tasks of the vertex work on the average, where something measures it.
     * Empty otherwise: a policy has to decide without.
     */
    OptionalDouble busyShare(int vertex);

    /** How many slot sharing groups the job has; their indexes count from 0. */
    int groups();

    /** Name of the slot sharing group. */
    String groupName(int group);

    /** What one slot of the group needs; may be the unknown profile. */
    ResourceProfile profile(int group);

    /** Slots that the job has for the group. */
    int slots(int group);

    /** When the vertices began to run at their current parallelism, on the scale of {@link #now}; empty: it does not run. */
    OptionalLong runningSince();

    /**
     * When the job last began to run at another parallelism than it ran at before, on the scale of {@link #now}; empty
     * when it never did. A restart at the same parallelism is none.
     */
    OptionalLong lastRescale();

    /**
     * How many earlier states are remembered, at most 100: those that decisions of this JobMaster saw and that differ in
     * slots or current parallelism. 0 is the newest one; the state of now is not among them.
     */
    int history();

    /** From when on the earlier state held, on the scale of {@link #now}. */
    long historySince(int entry);

    /** Slots that the job had for the group then. */
    int historySlots(int entry, int group);

    /** Parallelism that the vertex ran at then, 0 when the job did not run. */
    int historyCurrent(int entry, int vertex);
}
