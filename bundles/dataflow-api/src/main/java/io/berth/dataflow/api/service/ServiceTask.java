package io.berth.dataflow.api.service;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A service of a job: one for each subtask of its vertex. The thread of its task makes all calls, one at a time, with the
 * class loader of the job's bundle as the context class loader. A call that takes longer than its deadline is interrupted, and
 * the task fails.
 */
@ConsumerType
public interface ServiceTask {

    /**
     * Starts the service and returns; what goes on afterwards runs on threads of its own. The task ends when the context is
     * told so, when a health check fails too often, or when the task is canceled. At most {@code start.timeout.ms}.
     *
     * @throws io.berth.dataflow.api.PermanentException when another attempt would fail in the same way
     * @throws Exception when it cannot start; then {@link #stop} is called too
     */
    void start(ServiceContext context) throws Exception;

    /**
     * Checks whether the service does its work, every {@code health.interval.ms} while it runs. At most {@code
     * health.timeout.ms}. An exception counts as a failure too.
     *
     * @return what is wrong with it; empty when it is well
     */
    default Optional<String> health() throws Exception {
        return Optional.empty();
    }

    /**
     * Stops the service, and returns when none of its threads runs and all that it had is closed. Called once after {@link
     * #start}, whatever that did. At most {@code stop.timeout.ms}.
     */
    void stop() throws Exception;
}
