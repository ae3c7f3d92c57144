package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a scaling policy, for one job. At most one call runs in it at a time. */
@ConsumerType
public interface ScalingPolicy {

    /**
     * Opens a session on a job.
     *
     * @param job valid for the whole life of the session, its content changes only between calls
     */
    ScalingSession open(JobView job);
}
