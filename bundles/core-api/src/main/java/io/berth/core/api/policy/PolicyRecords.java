package io.berth.core.api.policy;

/**
 * Policy choices and swap records in the metadata store. A process keeps them only while it leads a role, so that the
 * next leader finds them.
 */
public interface PolicyRecords {

    /**
     * This process leads a role. When the method returns, the choices of the previous leader are in effect. If the
     * store is not available or another process holds the records, choices are kept in memory, which is logged. The
     * method waits for the disk for a limited time, so it must not be called on a main thread.
     *
     * @param epoch epoch of the leadership
     * @return to be closed when the process no longer leads
     */
    AutoCloseable startLeading(String role, long epoch);
}
