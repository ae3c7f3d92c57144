package io.berth.spi.scaling;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A job as a scaling policy sees it: the graph of its vertices by index, the slot sharing groups that they run in, and
 * what was measured. A policy reads the view only during calls; the content changes between calls. The graph is
 * constant: when the bounds of the job change, another session is opened, whose view remembers what this one does. What is
 * not known is empty, never 0: a policy must be able to decide without it.
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

    /** How many vertices the job has; their indexes count from 0, in topological order. */
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

    /**
     * Number of key groups of the vertex, at least its maximum. State by key is divided into so many parts, so a
     * parallelism that divides it shares the keys most evenly.
     */
    int keyGroups(int vertex);

    /** Current parallelism of the vertex, 0 when the job does not run. */
    int current(int vertex);

    /**
     * Parallelism that the previous decision desired for the vertex, within its bounds; empty before the first one. It
     * stays over a restart, when nothing is measured yet.
     */
    OptionalInt lastDesired(int vertex);

    /** How many edges the job has; their indexes count from 0. */
    int edges();

    /** The vertex that writes to the edge. */
    int producer(int edge);

    /** The vertex that reads from the edge. */
    int consumer(int edge);

    /** How the edge distributes records. */
    EdgeKind kind(int edge);

    /** Whether no edge leads to the vertex. */
    boolean source(int vertex);

    /** Whether no edge leads away from the vertex. */
    boolean sink(int vertex);

    /** Whether an edge to the vertex distributes by key. */
    boolean keyed(int vertex);

    /**
     * How much time the figures of this view cover, in milliseconds: at most the window {@code measurement.window.ms}
     * of the JobMaster, less when the present execution is younger. Empty when nothing is measured: the job does not
     * run, or fewer than two reports of its workers have arrived since it runs.
     */
    OptionalLong measuredMillis();

    /** Records that all tasks of the vertex together receive per second. 0 for a source. */
    OptionalDouble recordsInPerSecond(int vertex);

    /** Records that all tasks of the vertex together emit per second. */
    OptionalDouble recordsOutPerSecond(int vertex);

    /** Mean of the metric over the tasks of the vertex. */
    OptionalDouble mean(int vertex, TaskMetric metric);

    /** The metric of the task of the vertex that has most of it. */
    OptionalDouble greatest(int vertex, TaskMetric metric);

    /** Splits of a source that no task has received yet. Empty for other vertices, and until they are enumerated. */
    OptionalLong backlogSplits(int vertex);

    /**
     * Records of a source that remain in the splits that its tasks read now, as the source says. Empty for other
     * vertices, and when a task does not know.
     */
    OptionalLong backlogRecords(int vertex);

    /**
     * How far the task of a source that is furthest behind lags behind the newest record, in milliseconds, as the
     * source says. Empty for other vertices, and when no task knows.
     */
    OptionalLong lagMillis(int vertex);

    /** How many slot sharing groups the job has; their indexes count from 0. */
    int groups();

    /** Name of the slot sharing group. */
    String groupName(int group);

    /** What one slot of the group needs; may be the unknown profile. */
    ResourceProfile profile(int group);

    /** Slots that the job has for the group. */
    int slots(int group);

    /**
     * How many more slots of the group fit on the workers that the pool of the job has, with what is free there and with
     * the constraints of the group. It is what the ResourceManager said with its last heartbeat, counted at the one
     * before; other jobs, and other groups of this one, may take the same room first.
     */
    OptionalLong freeSlots(int group);

    /** How many more slots of the group fit on workers that backends may still start for the pool; as {@link #freeSlots}. */
    OptionalLong startableSlots(int group);

    /**
     * How many more slots of the group the limits of the queue of the job, and of the queues above it, allow; as {@link
     * #freeSlots}. Empty too when none limits them, and for a group of the unknown profile.
     */
    OptionalLong queueSlots(int group);

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
     * What the last rescale cost: milliseconds from the moment when the tasks were stopped until all tasks of the next
     * execution ran. The work that the stopped execution had done, and that is done again, is not included. Empty until
     * a rescale is over.
     */
    OptionalLong lastRescaleMillis();

    /**
     * The most work that the vertex had in the last so many milliseconds, in tasks: the highest product of its parallelism
     * and the mean of {@link TaskMetric#BUSY} that a decision of this JobMaster saw. The time is rounded up to 5, 10, 20
     * minutes and so on to 1,280 minutes, and may be up to half longer. Empty when decisions do not reach back so far, when
     * none of them saw a figure in this time, and for a longer time than 1,280 minutes.
     */
    OptionalDouble peakWork(int vertex, long millis);

    /**
     * How many earlier states the view remembers, at most 100: those that decisions of this JobMaster saw and that
     * differ in slots or current parallelism. 0 is the newest of them; the current state is not included. After a
     * takeover of the JobMaster there are none.
     */
    int history();

    /** When the earlier state began, on the scale of {@link #now}. */
    long historySince(int entry);

    /** Slots that the job had for the group then. */
    int historySlots(int entry, int group);

    /** Parallelism of the vertex at that time, 0 when the job did not run. */
    int historyCurrent(int entry, int vertex);

    /**
     * How much time the figures of the earlier state cover, in milliseconds. They are the last ones that were known
     * before it ended, because its slots changed or its tasks stopped; of tasks that stopped between two decisions, those
     * of that moment. When only the slots changed, the same tasks ran on: then the time may reach back before {@link
     * #historySince}. Empty when nothing was measured in the state, as {@link #measuredMillis}.
     */
    OptionalLong historyMeasuredMillis(int entry);

    /** {@link #recordsInPerSecond} at the end of the earlier state. */
    OptionalDouble historyRecordsInPerSecond(int entry, int vertex);

    /** {@link #recordsOutPerSecond} at the end of the earlier state. */
    OptionalDouble historyRecordsOutPerSecond(int entry, int vertex);

    /** {@link #mean} at the end of the earlier state. */
    OptionalDouble historyMean(int entry, int vertex, TaskMetric metric);
}
