package io.berth.dataflow.api.service;

import io.berth.dataflow.api.OperatorContext;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** The place where a service runs, and how it says that it has ended. Any thread may call the methods. */
@ProviderType
public interface ServiceContext extends OperatorContext {

    /**
     * The address at which the subtasks meet, HOST:PORT on the worker of subtask 0, which is the one that may listen there.
     * The same for all subtasks, and another one with each attempt; empty when the vertex has {@code rendezvous: false}.
     */
    Optional<String> rendezvous();

    /** The work is done: the service is stopped, and the task has finished. Only the first end counts. */
    void finished();

    /** The work cannot go on: the service is stopped, and the task has failed with this cause. Only the first end counts. */
    void failed(Throwable cause);
}
