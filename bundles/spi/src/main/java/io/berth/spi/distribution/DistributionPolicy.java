package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a distribution policy. At most one call runs at a time in it and in its session. */
@ConsumerType
public interface DistributionPolicy {

    /**
     * Opens a session on the demands of a pool. Called at most once for an instance. The session may keep indexes that
     * it builds from the demands, but nothing that it cannot rebuild: the host may drop a session and open another one
     * at any time.
     *
     * @param demands valid until the session is closed; the content changes only between calls
     */
    AdmissionSession open(DemandsView demands);
}
