package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** Admits demands. All calls come one at a time, on a guarded thread. */
@ConsumerType
public interface AdmissionSession extends AutoCloseable {

    /**
     * Units changed, and their view already shows the new state. Called right before an {@link #admit}, but not before
     * the first one after opening. The passing of time is not a change: a policy that orders by waiting time reads
     * {@link DemandsView#now} in each call.
     *
     * @param changed indexes of the units that were added, were removed or have other numbers, ascending, without
     *     duplicates; the session may keep the array
     */
    void delta(int[] changed);

    /**
     * Says which units compete for capacity now, in order of precedence. A unit that lacks a part of its minimum must
     * first be admitted with the whole missing part. A unit that is not admitted waits; it keeps the slots that it
     * has. The host checks the result. If the result breaks a rule, the host discards all of it and the fallback
     * policy admits.
     *
     * @param result valid during the call only
     */
    void admit(AdmissionBuilder result);

    /**
     * Drops the session: another policy decides, its configuration changed, it failed, or its owner ended. It is the
     * last call, and it is skipped after a call that hung. Must not throw.
     */
    @Override
    void close();
}
