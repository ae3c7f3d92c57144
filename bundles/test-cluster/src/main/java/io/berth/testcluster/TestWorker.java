package io.berth.testcluster;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.registration.RegistrationSettings;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.Pools;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.rpc.InProcessRpc;
import io.berth.runtime.dataflow.DataflowRuntime;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.TaskExecutorNode;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.store.AllocationStore;
import io.berth.worker.task.Tasks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** A worker with its own threads, memory for records and socket. */
final class TestWorker {

    private static final long FOREVER_MILLIS = 86_400_000;
    private static final long START_MILLIS = 10_000;

    private final WorkerId id;
    private final SystemTimers timers;
    private final ExecutorService main;
    private final ExecutorService starter;
    private final ExecutorService files;
    private final DataflowRuntime runtime;
    private final TaskExecutorNode node;

    /**
     * What workers have in common.
     *
     * @param slot the size of each slot
     */
    record Equipment(ResourceProfile slot, int slots, Path folder, InProcessRpc rpc, TestOperators operators) {}

    /** Starts to register. */
    TestWorker(String name, Equipment equipment) {
        Path folder = equipment.folder().resolve(name);
        id = new WorkerId(name);
        runtime = DataflowRuntime.alone(name, folder.resolve("results"));
        timers = new SystemTimers("berth-test-" + name + "-timers");
        main = Pools.fixed("berth-test-" + name + "-main", 1);
        starter = Pools.fixed("berth-test-" + name + "-starter", 1);
        files = Pools.fixed("berth-test-" + name + "-files", 1);
        try {
            node = new TaskExecutorNode(
                    settings(equipment, folder),
                    new FencingToken(1, UUID.randomUUID()),
                    runtime,
                    new TaskExecutorNode.Environment(
                            new SystemClock(),
                            timers,
                            main,
                            starter,
                            files,
                            equipment.rpc(),
                            new Only(runtime),
                            mainThread -> equipment.operators(),
                            secret -> Optional.empty(),
                            new Forgetful(),
                            code -> {}));
            node.start();
        } catch (RuntimeException | Error failure) {
            end();
            throw failure;
        }
    }

    private WorkerSettings settings(Equipment equipment, Path folder) {
        return new WorkerSettings(
                id,
                List.of(equipment.rpc().address()),
                "127.0.0.1",
                Optional.empty(),
                equipment.slot().times(equipment.slots()),
                equipment.slots(),
                "standalone",
                "",
                WorkerLabels.NONE,
                0,
                folder,
                FOREVER_MILLIS,
                10_000,
                10_000,
                30_000,
                FOREVER_MILLIS,
                RegistrationSettings.DEFAULTS);
    }

    private record Only(TaskRuntime runtime) implements Tasks.Runtimes {

        @Override
        public Optional<TaskRuntime> named(String name) {
            return Optional.of(runtime).filter(only -> only.name().equals(name));
        }

        @Override
        public List<String> names() {
            return List.of(runtime.name());
        }
    }

    /** A worker of a test is never started again. */
    private static final class Forgetful implements AllocationStore {

        @Override
        public List<SlotRequest> load() {
            return List.of();
        }

        @Override
        public void write(List<SlotRequest> allocations) {}
    }

    String name() {
        return id.value();
    }

    /** Ends as a process that is killed: nobody is told. Its threads have ended. */
    void kill() {
        Closes.all(List.of(node::halt, this::end));
    }

    private void end() {
        // The runtime must not be asked for a task after it was closed.
        Closes.all(List.of(this::endStarter, runtime::close, main::shutdownNow, files::shutdownNow, timers::close));
    }

    private void endStarter() {
        starter.shutdownNow();
        try {
            if (!starter.awaitTermination(START_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException(id + " still starts a task after " + START_MILLIS + " ms");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
