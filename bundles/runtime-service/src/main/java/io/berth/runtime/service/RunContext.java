package io.berth.runtime.service;

import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.service.ServiceContext;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** What a service sees of its task. Any thread. */
final class RunContext implements ServiceContext {

    private final TaskDeployment deployment;
    private final TaskContext task;
    private final Consumer<Optional<Throwable>> onEnd;
    private final ConcurrentSkipListMap<String, LongAdder> counters = new ConcurrentSkipListMap<>();

    /** @param onEnd receives the end of the service: its failure, or empty when it has finished */
    RunContext(TaskDeployment deployment, TaskContext task, Consumer<Optional<Throwable>> onEnd) {
        this.deployment = deployment;
        this.task = task;
        this.onEnd = onEnd;
    }

    @Override
    public String jobId() {
        return deployment.attempt().job().value();
    }

    @Override
    public String jobName() {
        return deployment.jobName();
    }

    @Override
    public String vertex() {
        return deployment.attempt().chain();
    }

    @Override
    public int subtask() {
        return deployment.attempt().subtask();
    }

    @Override
    public int parallelism() {
        return deployment.parallelism();
    }

    @Override
    public int maxParallelism() {
        return deployment.maxParallelism();
    }

    @Override
    public long epoch() {
        return deployment.attempt().epoch();
    }

    @Override
    public long execution() {
        return deployment.attempt().execution();
    }

    @Override
    public String attempt() {
        int restart = deployment.attempt().restart();
        return subtask() + "-" + Long.toString(epoch(), 36) + "-" + execution() + (restart == 0 ? "" : "-" + restart);
    }

    @Override
    public Optional<String> secret(String name) {
        return task.secret(name);
    }

    @Override
    public Counter counter(String name) {
        return counters.computeIfAbsent(vertex() + "." + name, any -> new LongAdder())::add;
    }

    @Override
    public Optional<String> rendezvous() {
        return Optional.of(deployment.rendezvous()).filter(address -> !address.isEmpty());
    }

    @Override
    public void finished() {
        onEnd.accept(Optional.empty());
    }

    @Override
    public void failed(Throwable cause) {
        onEnd.accept(Optional.of(cause));
    }

    SortedMap<String, Long> counters() {
        SortedMap<String, Long> values = new TreeMap<>();
        counters.forEach((name, counter) -> values.put(name, counter.sum()));
        return values;
    }
}
