package io.berth.simulator.job;

import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskRuntime;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.JobId;
import io.berth.worker.task.Tasks;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The only task runtime of a simulated worker. Its tasks are {@link SimulatedTask}s. */
public final class SimulatedRuntime implements TaskRuntime, Tasks.Runtimes {

    private final RpcAddress address;
    private final Incarnation process;
    private final Supplier<RandomGenerator> randoms;
    private final Exchange exchange;
    private final LongSupplier slowEnd;

    /**
     * @param address of the worker
     * @param randoms makes the random numbers of one task
     * @param slowEnd how much longer than usual a task takes to end, in nanoseconds
     */
    public SimulatedRuntime(
            RpcAddress address,
            Incarnation process,
            Supplier<RandomGenerator> randoms,
            Exchange exchange,
            LongSupplier slowEnd) {
        this.address = address;
        this.process = process;
        this.randoms = randoms;
        this.exchange = exchange;
        this.slowEnd = slowEnd;
    }

    @Override
    public String name() {
        return "dataflow";
    }

    @Override
    public String dataAddress() {
        return address.toString();
    }

    @Override
    public void releaseResults(JobId job, Collection<PartitionId> partitions) {
        exchange.results().release(process, partitions);
    }

    @Override
    public void releaseAllResults(JobId job) {
        exchange.results().releaseAll(process, job);
    }

    @Override
    public TaskHandle start(TaskDeployment deployment, TaskContext context) {
        SimulatedTask task = new SimulatedTask(deployment, context, process, randoms.get(), exchange, slowEnd);
        exchange.started(task);
        return task;
    }

    @Override
    public Optional<TaskRuntime> named(String name) {
        return name().equals(name) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public List<String> names() {
        return List.of(name());
    }
}
