package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a scaling policy, for one job. At most one call runs in it, and in its session, at a time. */
@ConsumerType
public interface ScalingPolicy {

    /**
     * Opens a session on a job; called at most once for an instance. It keeps nothing that cannot be rebuilt from the
     * view: a session can be dropped and opened anew at any time.
     *
     * @param job valid until the session is closed, its content changes only between calls
     */
    ScalingSession open(JobView job);
}
