package io.berth.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** A runtime that keeps what its processes print, and the deployments that it runs. */
final class ProcessFixture {

    private static final long LIMIT_SECONDS = 60;
    private static final EndpointRef REF =
            new EndpointRef(new RpcAddress("h", 1), EndpointName.DISPATCHER, new FencingToken(1, new UUID(0, 0)));

    final ProcessRuntime runtime;
    private final List<String> lines = new ArrayList<>();
    String rendezvous = "127.0.0.1:" + freePort();
    /** Whether the context of a task throws an error. */
    boolean broken;

    ProcessFixture(Path folder) {
        runtime = new ProcessRuntime(folder, "w-1", deployment -> (stream, text) -> {
            synchronized (lines) {
                lines.add(stream + " " + text);
                lines.notifyAll();
            }
        });
    }

    private static int freePort() {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** What processes printed, with the stream that each line came from. */
    List<String> lines() {
        synchronized (lines) {
            return List.copyOf(lines);
        }
    }

    /** @param configuration keys and values in turn */
    TaskHandle start(String... configuration) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (int at = 0; at < configuration.length; at += 2) {
            settings.put(configuration[at], configuration[at + 1]);
        }
        return runtime.start(
                new TaskDeployment(
                        new AttemptId(new JobId("job-1"), "sum", 0, 1, 2),
                        "sums",
                        REF,
                        REF,
                        new AllocationId(1, 1),
                        "process",
                        3,
                        128,
                        List.of(),
                        List.of(new ChainedOperator("sum", "process", settings)),
                        List.of(),
                        List.of(),
                        rendezvous),
                new Context(broken));
    }

    Outcome outcome(TaskHandle task) throws Exception {
        return task.outcome().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    /** Waits until a process has printed that line. */
    void await(String line) throws InterruptedException {
        synchronized (lines) {
            for (int waits = 0; !lines.contains(line) && waits < LIMIT_SECONDS * 10; waits++) {
                lines.wait(100);
            }
        }
        assertThat(lines()).contains(line);
    }

    /** All processes below this one. */
    List<Long> processesOfTheRuntime() {
        return ProcessHandle.current().descendants().map(ProcessHandle::pid).toList();
    }

    /** Waits until none of the processes runs. */
    void awaitEnd(List<Long> pids) throws Exception {
        for (long pid : pids) {
            Optional<ProcessHandle> handle = ProcessHandle.of(pid);
            if (handle.isPresent()) {
                handle.get().onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            }
        }
    }

    private static final class Context implements TaskContext {

        private final boolean broken;

        Context(boolean broken) {
            this.broken = broken;
        }

        @Override
        public ResourceProfile resources() {
            if (broken) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return new ResourceProfile(1_500, 1 << 20, 0, 0, new TreeMap<>(Map.of("gpu", 2L)));
        }

        @Override
        public Optional<Object> operator(String name) {
            return Optional.empty();
        }

        @Override
        public ClassLoader classLoader(String operator) {
            return ProcessFixture.class.getClassLoader();
        }

        @Override
        public Optional<String> secret(String name) {
            return Optional.empty();
        }

        @Override
        public CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits) {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<SplitAnswer> nextSplit(String vertex) {
            return new CompletableFuture<>();
        }

        @Override
        public void readyToCommit(List<Committable> committables) {}
    }
}
