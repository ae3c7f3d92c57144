package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a distribution policy. At most one call runs in it at a time. */
@ConsumerType
public interface DistributionPolicy {

    /**
     * Opens a session on the demands of a pool.
     *
     * @param demands valid for the whole life of the session, its content changes only between calls
     */
    AdmissionSession open(DemandsView demands);
}
