package io.berth.simulator.deadlock;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.job.Exchange;
import io.berth.simulator.job.SimulatedRuntime;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.job.StoredInputs;
import io.berth.simulator.network.Network;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.CoreSettings;
import io.berth.simulator.world.NoUserCode;
import io.berth.simulator.world.Tuning;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.TaskExecutorNode;
import io.berth.worker.store.AllocationStore;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Starts and kills the workers of an instance. Each of them reaches each other one as long as that lives. */
final class Machines implements StoredInputs.Connections {

    private static final String STANDALONE = "standalone";
    /** Nothing survives the death of a worker. */
    private static final AllocationStore NO_DISK = new AllocationStore() {
        @Override
        public List<SlotRequest> load() {
            return List.of();
        }

        @Override
        public void write(List<SlotRequest> allocations) {}
    };

    /** A worker, and its slots by its own table. */
    record Held(ResourceProfile total, SlotReport slots) {}

    private final VirtualTime time;
    private final Network network;
    private final Exchange exchange;
    private final SplittableRandom random;
    private final Tuning tuning;
    private final Consumer<String> failed;
    private final Map<Incarnation, Supplier<CompletionStage<Held>>> living = new LinkedHashMap<>();
    private final Map<String, Incarnation> byAddress = new HashMap<>();
    private int started;

    /**
     * @param tasks observes what tasks do
     * @param failed receives why a worker ended itself
     */
    Machines(
            VirtualTime time,
            Network network,
            Exchange.Listener tasks,
            SplittableRandom random,
            Tuning tuning,
            Consumer<String> failed) {
        this.time = time;
        this.network = network;
        this.exchange = new Exchange(random.split(), tasks, () -> false, this);
        this.random = random;
        this.tuning = tuning;
        this.failed = failed;
    }

    /** A worker starts, and registers. */
    Incarnation start(ResourceProfile total) {
        WorkerId id = new WorkerId("w-" + ++started);
        RpcAddress address = new RpcAddress("worker", 10_000 + started);
        Incarnation process = new Incarnation(id.value(), 1, time, random.split());
        SimulatedRuntime runtime = new SimulatedRuntime(address, process, random::split, exchange, () -> 0);
        TaskExecutorNode node = new TaskExecutorNode(
                CoreSettings.worker(
                        id,
                        total,
                        1,
                        STANDALONE,
                        "",
                        WorkerLabels.NONE,
                        List.of(ControlPlane.RESOURCE_MANAGER),
                        tuning),
                new FencingToken(process.wallMillis(), new UUID(random.nextLong(), random.nextLong())),
                runtime,
                new TaskExecutorNode.Environment(
                        process,
                        process,
                        process,
                        process,
                        process,
                        network.listen(process, address, false),
                        runtime,
                        mainThread -> new NoUserCode(process, random.split()),
                        secret -> Optional.empty(),
                        NO_DISK,
                        code -> failed.accept(process + " ended itself with exit code " + code)));
        node.start();
        byAddress.put(runtime.dataAddress(), process);
        living.put(process, () -> node.slots().thenApply(slots -> new Held(total, slots)));
        return process;
    }

    /** The tasks that run. */
    List<SimulatedTask> tasks() {
        return exchange.running();
    }

    /** Asks the living workers. */
    List<CompletionStage<Held>> ask() {
        return living.values().stream().map(Supplier::get).toList();
    }

    @Override
    public Optional<Incarnation> answering(Incarnation reader, String dataAddress) {
        return Optional.ofNullable(byAddress.get(dataAddress));
    }

    @Override
    public boolean isRefused(Incarnation reader, String dataAddress) {
        return !byAddress.containsKey(dataAddress);
    }

    /** SIGKILL. */
    void kill(Incarnation process) {
        living.remove(process);
        byAddress.values().remove(process);
        process.kill();
        network.gone(process);
        exchange.gone(process);
    }
}
