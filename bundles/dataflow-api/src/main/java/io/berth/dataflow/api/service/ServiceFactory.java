package io.berth.dataflow.api.service;

import io.berth.dataflow.api.Configuration;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Creates the services of one kind. It is registered as an OSGi service and named by {@link Service}. Any thread may call
 * it, several at once.
 */
@ConsumerType
public interface ServiceFactory {

    /**
     * Creates a service that is not started yet. Called once per task. It is never called at submission, because the control
     * plane runs no code of a job.
     *
     * @throws io.berth.dataflow.api.ConfigurationException when a value of the configuration is wrong
     */
    ServiceTask create(Configuration configuration);
}
