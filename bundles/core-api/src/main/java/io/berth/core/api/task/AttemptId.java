package io.berth.core.api.task;

import io.berth.spi.JobId;

/**
 * One attempt to run one task: a subtask of a chain of vertices.
 *
 * @param chain name of the chain, which is the name of its first vertex
 * @param subtask index, from 0
 * @param epoch epoch of the JobMaster that created the attempt; the next JobMaster of the job has a higher one
 * @param execution number of the job's execution, counted from 1 by this JobMaster
 */
public record AttemptId(JobId job, String chain, int subtask, long epoch, long execution)
        implements Comparable<AttemptId> {

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
        return result == 0 ? Integer.compare(subtask, other.subtask) : result;
    }

    @Override
    public String toString() {
        return job + "/" + chain + "[" + subtask + "]#" + Long.toString(epoch, 36) + "." + execution;
    }
}
