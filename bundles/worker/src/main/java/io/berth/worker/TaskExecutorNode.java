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
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.store.AllocationStore;
import io.berth.worker.task.Tasks;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;

/**
 * A TaskExecutor as a process runs it, from the start of that process to its end (FLIP-6). Makes no threads, reads no wall
 * time and uses no randomness of its own: all it needs is injected.
 */
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
     * @param userCode makes what keeps the code of jobs; called once, for the main thread that it is called on
     * @param allocations what outlives the process
     * @param process ends the process with an exit code; may be called more than once
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
            AllocationStore allocations,
            IntConsumer process) {}

    /**
     * @param session token of this process: newer than that of any process before it with the same worker id
     * @param exchange the runtime from which other workers receive data
     */
    public TaskExecutorNode(
            WorkerSettings settings, FencingToken session, TaskRuntime exchange, Environment environment) {
        this.rpc = environment.rpc();
        this.mainThread =
                new MainThread("worker " + settings.worker(), environment.pool(), environment.timers(), failure -> {
                    // The slots may be half changed: those who count on the worker are to find it gone, not wrong.
                    halt();
                    environment.process().accept(FatalErrors.exitCode(failure));
                });
        this.endpoint = new EndpointRef(rpc.address(), EndpointName.worker(settings.worker()), session);
        this.taskExecutor = new TaskExecutor(settings, endpoint, exchange, mainThread, environment);
    }

    /** Serves the gateway, takes up the slots of a process before, and begins to register. */
    public EndpointRef start() {
        served.set(Optional.of(rpc.serve(endpoint.name(), endpoint.token(), taskExecutor)));
        taskExecutor.start();
        return endpoint;
    }

    /** The machine of the worker says which ResourceManager leads. Any thread. */
    public void resourceManagerLeads(EndpointRef resourceManager) {
        taskExecutor.resourceManagerLeads(resourceManager);
    }

    /** The slots that it has, of all states; completes on its main thread. Any thread. */
    public CompletionStage<SlotReport> slots() {
        return taskExecutor.slots();
    }

    /**
     * Ends in order: leaves the ResourceManager, cancels the tasks, forgets the slots. Completes when the tasks have ended,
     * at the latest after two seconds. Any thread, any number of times; {@link #halt} is still to be called.
     */
    public CompletionStage<Void> close(String cause) {
        return taskExecutor.close(cause);
    }

    /** Serves and does nothing any more and tells nobody, as a process that died. Any thread, any number of times. */
    public void halt() {
        served.getAndSet(Optional.empty()).ifPresent(RpcService.Served::close);
        mainThread.close();
    }
}
