package io.berth.worker;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.FatalErrors;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.worker.code.UserCode;
import io.berth.worker.log.TaskLogs;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.store.AllocationStore;
import io.berth.worker.task.Tasks;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;

/** A TaskExecutor for the lifetime of a process (FLIP-6). Threads, clock and randomness are injected. */
public final class TaskExecutorNode {

    private final MainThread mainThread;
    private final RpcService rpc;
    private final EndpointRef endpoint;
    private final TaskExecutor taskExecutor;
    private final AtomicReference<Optional<RpcService.Served>> served = new AtomicReference<>(Optional.empty());

    /**
     * What a worker runs on.
     *
     * @param pool runs the main thread
     * @param starter calls the task runtimes, which may block
     * @param files reads and writes the kept allocations, which blocks
     * @param runtimes the task runtimes of the process
     * @param userCode creates the user code registry for the given main thread; called once
     * @param secrets from a name to its secret, for operators
     * @param allocations the stored allocations
     * @param process ends the process with an exit code; may be called more than once
     * @param logs of the tasks and of the worker; read on {@code files}
     */
    public record Environment(
            Clock clock,
            Timers timers,
            Executor pool,
            Executor starter,
            Executor files,
            RpcService rpc,
            Tasks.Runtimes runtimes,
            Function<MainThread, UserCode> userCode,
            Function<String, Optional<String>> secrets,
            AllocationStore allocations,
            IntConsumer process,
            TaskLogs logs) {

        /** Without logs. */
        public Environment(
                Clock clock,
                Timers timers,
                Executor pool,
                Executor starter,
                Executor files,
                RpcService rpc,
                Tasks.Runtimes runtimes,
                Function<MainThread, UserCode> userCode,
                Function<String, Optional<String>> secrets,
                AllocationStore allocations,
                IntConsumer process) {
            this(
                    clock,
                    timers,
                    pool,
                    starter,
                    files,
                    rpc,
                    runtimes,
                    userCode,
                    secrets,
                    allocations,
                    process,
                    TaskLogs.NONE);
        }
    }

    /**
     * @param session token of this process: newer than those of earlier processes with the same worker id
     * @param exchange the runtime from which other workers receive data
     */
    public TaskExecutorNode(
            WorkerSettings settings, FencingToken session, TaskRuntime exchange, Environment environment) {
        this.rpc = environment.rpc();
        this.mainThread =
                new MainThread("worker " + settings.worker(), environment.pool(), environment.timers(), failure -> {
                    // The slots may be half changed: the worker must be gone rather than wrong.
                    halt();
                    environment.process().accept(FatalErrors.exitCode(failure));
                });
        this.endpoint = new EndpointRef(rpc.address(), EndpointName.worker(settings.worker()), session);
        this.taskExecutor = new TaskExecutor(settings, endpoint, exchange, mainThread, environment);
    }

    /** Serves the gateway, restores the slots of the previous process, and starts to register. */
    public EndpointRef start() {
        served.set(Optional.of(rpc.serve(endpoint.name(), endpoint.token(), taskExecutor)));
        taskExecutor.start();
        return endpoint;
    }

    /** The machine of the worker names the leading ResourceManager. Any thread. */
    public void resourceManagerLeads(EndpointRef resourceManager) {
        taskExecutor.resourceManagerLeads(resourceManager);
    }

    /** The slots in all states; completes on the main thread. Any thread. */
    public CompletionStage<SlotReport> slots() {
        return taskExecutor.slots();
    }

    /**
     * Ends in order: leaves the ResourceManager, cancels the tasks, forgets the slots. Completes when the tasks have
     * ended, or after two seconds. Idempotent, any thread; {@link #halt} must follow.
     */
    public CompletionStage<Void> close(String cause) {
        return taskExecutor.close(cause);
    }

    /** Stops without a notice to anyone, like a process that died. Idempotent. Any thread. */
    public void halt() {
        served.getAndSet(Optional.empty()).ifPresent(RpcService.Served::close);
        mainThread.close();
    }
}
