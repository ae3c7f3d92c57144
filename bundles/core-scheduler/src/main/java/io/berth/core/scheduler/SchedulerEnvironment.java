package io.berth.core.scheduler;

import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * What all JobMasters of a process share.
 *
 * @param pool runs the main threads: thousands of them share its few threads
 * @param ids random ids for fencing tokens
 * @param configuration asked once for each job, when it starts
 */
record SchedulerEnvironment(
        Clock clock,
        Timers timers,
        Executor pool,
        RpcService rpc,
        PolicyHost policies,
        Supplier<UUID> ids,
        Supplier<SchedulerConfiguration> configuration) {}
