package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** Admits demands. All calls come one after another, on a guarded thread. */
@ConsumerType
public interface AdmissionSession extends AutoCloseable {

    /**
     * Units changed: their view already shows the new state. Comes right before an {@link #admit}, and not when the
     * session was opened just then. That time passed is no change: who orders by waiting time asks {@link
     * DemandsView#now} in each call.
     *
     * @param changed indexes of the units that came, went or have other numbers, ascending, each once; the array is the
     *     session's to keep
     */
    void delta(int[] changed);

    /**
     * Says which units compete for capacity now, in the order of their precedence. A unit that still lacks part of its
     * minimum is admitted with the whole of it first. Who is not admitted waits; nothing is taken away from anybody. The
     * host checks the result; what breaks a rule is discarded whole and the fallback admits.
     *
     * @param result valid during the call only
     */
    void admit(AdmissionBuilder result);

    /**
     * The session is dropped: another policy decides, its configuration changed, it failed, or its owner ended. The last
     * call; not made after a call that hung. Must not throw.
     */
    @Override
    void close();
}
