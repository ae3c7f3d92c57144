package io.berth.runtime.dataflow;

import io.berth.dataflow.api.Counter;
import io.berth.dataflow.api.OperatorContext;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The place of one subtask, for tests of an operator without a runtime. */
public record TestContext(int subtask, int parallelism, long execution, Map<String, Long> counters)
        implements OperatorContext {

    public TestContext(int subtask, int parallelism, long execution) {
        this(subtask, parallelism, execution, new ConcurrentSkipListMap<>());
    }

    @Override
    public String jobId() {
        return "job-1";
    }

    @Override
    public String jobName() {
        return "job";
    }

    @Override
    public String vertex() {
        return "vertex";
    }

    @Override
    public int maxParallelism() {
        return 128;
    }

    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public String attempt() {
        return subtask + "-1-" + execution;
    }

    @Override
    public Optional<String> secret(String name) {
        return Optional.empty();
    }

    @Override
    public Counter counter(String name) {
        return amount -> counters.merge(name, amount, Long::sum);
    }
}
