package io.berth.spi.distribution;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a distribution policy. At most one call runs in it, and in its session, at a time. */
@ConsumerType
public interface DistributionPolicy {

    /**
     * Opens a session on the demands of a pool; called at most once for an instance. It may keep indexes that it builds
     * from them, and nothing that cannot be rebuilt: a session can be dropped and opened anew at any time.
     *
     * @param demands valid until the session is closed, its content changes only between calls
     */
    AdmissionSession open(DemandsView demands);
}
