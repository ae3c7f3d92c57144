package io.berth.core.api.task;

import io.berth.spi.JobId;

/**
 * One attempt to run one task: a subtask of a chain of vertices.
 *
 * @param chain name of the chain, which is the name of its first vertex
 * @param subtask index, from 0
 * @param epoch epoch of the JobMaster that created the attempt; the next JobMaster of the job has a higher one
 * @param execution number of the job's execution, counted from 1 by this JobMaster
 * @param restart how often the task was restarted before in this execution, while other tasks went on
 */
public record AttemptId(JobId job, String chain, int subtask, long epoch, long execution, int restart)
        implements Comparable<AttemptId> {

    /** The first attempt of an execution. */
    public AttemptId(JobId job, String chain, int subtask, long epoch, long execution) {
        this(job, chain, subtask, epoch, execution, 0);
    }

    /** The next attempt of the same task in the same execution. */
    public AttemptId next() {
        return new AttemptId(job, chain, subtask, epoch, execution, restart + 1);
    }

    @Override
    public int compareTo(AttemptId other) {
        int result = job.compareTo(other.job);
        if (result == 0) {
            result = Long.compare(epoch, other.epoch);
        }
        if (result == 0) {
            result = Long.compare(execution, other.execution);
        }
        if (result == 0) {
            result = chain.compareTo(other.chain);
        }
        if (result == 0) {
            result = Integer.compare(subtask, other.subtask);
        }
        return result == 0 ? Integer.compare(restart, other.restart) : result;
    }

    @Override
    public String toString() {
        return job + "/" + chain + "[" + subtask + "]#" + Long.toString(epoch, 36) + "." + execution
                + (restart == 0 ? "" : "." + restart);
    }
}
