package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a scaling policy, for one job. At most one call runs at a time in it and in its session. */
@ConsumerType
public interface ScalingPolicy {

    /**
     * Opens a session on a job. Called at most once for an instance. The session keeps nothing that it cannot rebuild
     * from the view: the host may drop it and open another one at any time.
     *
     * @param job valid until the session is closed; the content changes only between calls
     */
    ScalingSession open(JobView job);
}
