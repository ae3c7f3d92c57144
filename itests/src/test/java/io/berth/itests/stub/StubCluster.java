package io.berth.itests.stub;

import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.rpc.RpcConfig;
import io.berth.core.rpc.RpcServices;
import io.berth.core.rpc.RunningRpc;
import io.berth.core.security.ClusterSecurity;
import io.berth.spi.WorkerId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/**
 * A separate process with workers and JobMasters without tasks, connected to a ResourceManager by sockets. It reads
 * commands as lines of its input and answers each with lines and a dot. Confined to one thread.
 */
public final class StubCluster {

    /** A resource that only these workers have. */
    static final String RESOURCE = "stub";

    private final RunningRpc rpc = RpcServices.start(RpcConfig.defaults("stubs"), ClusterSecurity.NONE);
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread created = new Thread(task, "stubs");
        created.setDaemon(true);
        return created;
    });
    private final List<String> violations = new ArrayList<>();
    private final List<StubWorker> workers = new ArrayList<>();
    private final ResourceManagerGateway resourceManager;
    private final StubArrivals arrivals;

    private StubCluster(RpcAddress master, StubLoad load) throws Exception {
        resourceManager = rpc.resourceManager(rpc.resolve(master, EndpointName.RESOURCE_MANAGER)
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS));
        arrivals = new StubArrivals(this, load);
        for (int number = 0; number < load.workers(); number++) {
            workers.add(new StubWorker(this, load.first() + number, load.slots()));
        }
    }

    /** Arguments: address of the ResourceManager, then {@link StubLoad} as text. */
    public static void main(String[] arguments) throws Exception {
        StubCluster cluster = new StubCluster(RpcAddress.parse(arguments[0]), StubLoad.parse(arguments[1]));
        cluster.acknowledge(() -> cluster.workers.forEach(StubWorker::start))
                .toCompletableFuture()
                .get();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            String asked = command;
            List<String> answer = cluster.call(() -> cluster.answer(asked))
                    .toCompletableFuture()
                    .get();
            System.out.println(String.join("\n", answer) + (answer.isEmpty() ? "." : "\n."));
            System.out.flush();
        }
        // The parent process has ended.
        System.exit(0);
    }

    private List<String> answer(String command) throws IOException {
        switch (command) {
            case "registered":
                return List.of(Long.toString(
                        workers.stream().filter(StubWorker::registered).count()));
            case "registrations":
                return List.of(Long.toString(
                        workers.stream().mapToLong(StubWorker::registrations).sum()));
            case "run":
                arrivals.run(true);
                return List.of();
            case "pause":
                arrivals.run(false);
                return List.of();
            case "unsettled":
                return arrivals.unsettled();
            case "table":
                return workers.stream()
                        .flatMap(worker -> worker.table().stream())
                        .toList();
            case "held":
                return arrivals.held();
            case "delays":
                return arrivals.takeDelays();
            case "counts":
                return List.of(arrivals.counts());
            case "leave":
                arrivals.allLeave();
                return List.of();
            case "violations":
                return List.copyOf(violations);
            default:
                throw new IOException("no such command: " + command);
        }
    }

    /** Whether the worker belongs to another process, which may vanish. */
    boolean isElsewhere(WorkerId worker) {
        return workers.stream().noneMatch(own -> own.id().equals(worker));
    }

    RunningRpc rpc() {
        return rpc;
    }

    ResourceManagerGateway resourceManager() {
        return resourceManager;
    }

    StubArrivals arrivals() {
        return arrivals;
    }

    void violation(String text) {
        if (violations.size() < 100) {
            violations.add(text);
        }
    }

    <T> CompletionStage<T> call(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(action.call());
            } catch (Exception failure) {
                violation("the stub failed: " + failure);
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    CompletionStage<Acknowledge> acknowledge(Runnable action) {
        return call(() -> {
            action.run();
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    <T> void whenComplete(CompletionStage<T> stage, BiConsumer<T, Throwable> action) {
        stage.whenComplete((value, failure) -> call(() -> {
            action.accept(value, failure);
            return true;
        }));
    }

    void schedule(long micros, Runnable action) {
        thread.schedule(
                () -> call(() -> {
                    action.run();
                    return true;
                }),
                micros,
                TimeUnit.MICROSECONDS);
    }
}
