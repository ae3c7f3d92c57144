package io.berth.core.api;

/** Fencing token of the JobMaster of one job. */
public record JobMasterId(FencingToken token) implements Comparable<JobMasterId> {

    @Override
    public int compareTo(JobMasterId other) {
        return token.compareTo(other.token);
    }

    @Override
    public String toString() {
        return token.toString();
    }
}
