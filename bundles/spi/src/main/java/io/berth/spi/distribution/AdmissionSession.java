package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** Admits demands. All calls come one after another, on a guarded thread. */
@ConsumerType
public interface AdmissionSession extends AutoCloseable {

    /**
     * Units changed: their view already shows the new state.
     *
     * @param changed indexes of the units that came, went or have other numbers; the array is the session's to keep
     */
    void delta(int[] changed);

    /**
     * Says which units compete for capacity now, in the order of their precedence. A unit that still lacks part of its
     * minimum is admitted with the whole of it first.
     */
    void admit(AdmissionBuilder result);

    /** The session is dropped. Must not throw. */
    @Override
    void close();
}
