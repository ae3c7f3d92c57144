package io.berth.spi.scaling;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A job as a scaling policy sees it: vertices by index, and the slot sharing groups that they run in. A policy reads
 * the view only during calls; the content changes between calls. The numbers of vertices and groups are constant.
 */
@ProviderType
public interface JobView {

    /** Number of the state that the view shows. It grows with each change. */
    long stateNumber();

    /**
     * Time of the state, in the milliseconds of {@link io.berth.spi.PolicyContext#now}. It is constant during a
     * decision, so that everything computed from it can be replayed.
     */
    long now();

    /** Wall-clock time of the same moment, in milliseconds since 1970; it may jump. Its zone is that of {@link
     * io.berth.spi.PolicyContext#zone}. */
    long wallTime();

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

    /** Parallelism that the job requests, at least the minimum. */
    int desired(int vertex);

    /** Upper bound of scaling, at least the desired parallelism. */
    int maximum(int vertex);

    /** Current parallelism of the vertex, 0 when the job does not run. */
    int current(int vertex);

    /**
     * Records that all tasks of the vertex together receive per second. Empty when nothing measures it; a policy must
     * be able to decide without it.
     */
    OptionalDouble recordsInPerSecond(int vertex);

    /**
     * Average share of time, from 0 to 1, that the tasks of the vertex are busy. Empty when nothing measures it; a
     * policy must be able to decide without it.
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

    /**
     * When the vertices started to run at their current parallelism, on the scale of {@link #now}; empty when the job
     * does not run.
     */
    OptionalLong runningSince();

    /**
     * When the job last started to run at another parallelism than before, on the scale of {@link #now}; empty when it
     * never did. A restart at the same parallelism does not count.
     */
    OptionalLong lastRescale();

    /**
     * How many earlier states the view remembers, at most 100: those that decisions of this JobMaster saw and that
     * differ in slots or current parallelism. 0 is the newest of them; the current state is not included.
     */
    int history();

    /** When the earlier state began, on the scale of {@link #now}. */
    long historySince(int entry);

    /** Slots that the job had for the group then. */
    int historySlots(int entry, int group);

    /** Parallelism of the vertex at that time, 0 when the job did not run. */
    int historyCurrent(int entry, int vertex);
}
