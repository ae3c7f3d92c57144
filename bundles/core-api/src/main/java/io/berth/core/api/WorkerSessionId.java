package io.berth.core.api;

/** Fencing token of a worker process; a restarted process has a new one. */
public record WorkerSessionId(FencingToken token) implements Comparable<WorkerSessionId> {

    @Override
    public int compareTo(WorkerSessionId other) {
        return token.compareTo(other.token);
    }

    @Override
    public String toString() {
        return token.toString();
    }
}
