package io.berth.core.resources.state;

import io.berth.core.api.InstanceId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.rpc.EndpointRef;

/**
 * One registration of a worker (FLIP-6).
 *
 * @param registeredMillis wall time
 * @param startedMillis wall time at which its process started
 * @param monitor whether the worker is alive
 */
public record WorkerConnection(
        InstanceId instance,
        WorkerSessionId session,
        EndpointRef endpoint,
        TaskExecutorGateway gateway,
        long registeredMillis,
        long startedMillis,
        HeartbeatMonitor monitor) {}
