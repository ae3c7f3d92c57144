package io.berth.core.api.policy;

/**
 * Choices and changes of policies in the metadata store, which a process keeps while it leads a role and not while it
 * stands by, so that the next leader finds them.
 */
public interface PolicyRecords {

    /**
     * This process leads a role: what the leader before kept holds when this returns, unless the store is away or another
     * process has the records; then choices are kept in memory, and the log says so. Any thread but a main thread;
     * waits for the disk, bounded.
     *
     * @param epoch of the grant
     * @return to be closed when it leads no more
     */
    AutoCloseable leads(String role, long epoch);
}
