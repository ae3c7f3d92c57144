package io.berth.simulator.world;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.FatalErrors;
import io.berth.simulator.job.JobShapes;
import io.berth.simulator.job.SimulatedRuntime;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.oracle.Ledger;
import io.berth.simulator.oracle.WatchedRpc;
import io.berth.simulator.oracle.WatchedTaskExecutor;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.TaskExecutorNode;
import io.berth.worker.store.AllocationStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * A process of a worker. A standalone worker returns after it died, as the same worker with the same disk. A worker of
 * a backend does not return; its backend replaces it.
 */
public final class Worker implements Ledger.Member {

    static final String STANDALONE = "standalone";
    public static final int DEFAULT_SLOTS = 4;
    public static final ResourceProfile TOTAL = JobShapes.SLOT.times(DEFAULT_SLOTS);
    private static final long SUPERVISOR_NANOS = 5 * VirtualTime.SECOND;
    /** So often a worker of a backend looks who leads. */
    private static final long LOOK_NANOS = 250 * VirtualTime.MILLI;

    private final World world;
    private final WorkerId id;
    private final String backend;
    private final String spec;
    private final WorkerLabels labels;
    private final RpcAddress address;
    private final String text;
    private final RandomGenerator random;
    private final Disk disk = new Disk();
    private Optional<Incarnation> life = Optional.empty();
    private Optional<TaskExecutorNode> node = Optional.empty();
    private Runnable ended = () -> {};
    private int lives;

    Worker(World world, WorkerId id, String backend, String spec, WorkerLabels labels) {
        this.world = world;
        this.id = id;
        this.backend = backend;
        this.spec = spec;
        this.labels = labels;
        this.address = world.address(id.value());
        this.text = id + "@" + address;
        this.random = world.anotherRandom();
    }

    /** What survives a process. */
    private static final class Disk implements AllocationStore {

        private List<SlotRequest> kept = List.of();

        @Override
        public List<SlotRequest> load() {
            return kept;
        }

        @Override
        public void write(List<SlotRequest> allocations) {
            kept = List.copyOf(allocations);
        }
    }

    @Override
    public WorkerId id() {
        return id;
    }

    public RpcAddress address() {
        return address;
    }

    public boolean isAlive() {
        return life.isPresent();
    }

    public Optional<Incarnation> life() {
        return life;
    }

    @Override
    public boolean isOf(Incarnation process) {
        return life.filter(living -> living == process).isPresent();
    }

    public boolean isStandalone() {
        return backend.equals(STANDALONE);
    }

    boolean isOfBackend(String name) {
        return backend.equals(name);
    }

    String spec() {
        return spec;
    }

    /** Another action runs too when the process is dead. */
    void follow(Runnable also) {
        Runnable before = ended;
        ended = () -> {
            before.run();
            also.run();
        };
    }

    /** It finds on its machine who leads. */
    void find(EndpointRef resourceManager) {
        life.filter(process -> !isStandalone())
                .ifPresent(process -> process.in(
                        LOOK_NANOS,
                        What.WORLD,
                        () -> node.filter(there -> isOf(process))
                                .ifPresent(there -> there.resourceManagerLeads(resourceManager))));
    }

    /** @param whenEnded runs when the process is dead */
    void boot(Runnable whenEnded) {
        if (isAlive()) {
            return;
        }
        ended = whenEnded;
        Incarnation process = new Incarnation(id.value(), ++lives, world.time, world.anotherRandom());
        life = Optional.of(process);
        process.watchedBy(() -> world.ledger.touched(this));
        world.trace.log(process + " begins");
        RpcService rpc = WatchedRpc.ofWorker(
                world.network.listen(process, address, world.shape.written()), served -> watched(served, process));
        SimulatedRuntime runtime =
                new SimulatedRuntime(address, process, world::anotherRandom, world.exchange, world::slowEndNanos);
        TaskExecutorNode starting = new TaskExecutorNode(
                CoreSettings.worker(
                        id, TOTAL, DEFAULT_SLOTS, backend, spec, labels, world.masterAddresses(), world.tuning),
                new FencingToken(process.wallMillis(), world.id()),
                runtime,
                new TaskExecutorNode.Environment(
                        process,
                        process,
                        process,
                        process,
                        process,
                        rpc,
                        runtime,
                        mainThread -> new NoUserCode(process, random),
                        secret -> Optional.empty(),
                        disk,
                        code -> exits(process, code),
                        new SimulatedLogs(id)));
        node = Optional.of(starting);
        starting.start();
        if (world.finds()) {
            world.leader().ifPresent(this::find);
        }
    }

    private WatchedTaskExecutor watched(TaskExecutorGateway served, Incarnation process) {
        WatchedTaskExecutor watched = new WatchedTaskExecutor(
                served,
                process,
                () -> isOf(process) ? slots() : Optional.empty(),
                () -> world.exchange.results().on(process),
                world.ledger,
                () -> world.ledger.touched(this));
        world.lateWords.reach(process, watched.late());
        return watched;
    }

    /** The process ends itself. */
    private void exits(Incarnation process, int code) {
        if (code == FatalErrors.EXIT_INTERNAL_ERROR) {
            world.ledger.broken("I: worker " + id + " ended with an internal error");
        }
        process.in(0, What.WORLD, () -> {
            if (isOf(process)) {
                kill("exit code " + code);
                world.time.in(SUPERVISOR_NANOS, What.WORLD, world.outside, () -> restart(true));
            }
        });
    }

    public void kill(String cause) {
        life.ifPresent(process -> {
            life = Optional.empty();
            node = Optional.empty();
            world.trace.log(process + " is dead: " + cause);
            world.gone(process);
            Runnable tell = ended;
            ended = () -> {};
            tell.run();
            if (!isStandalone()) {
                world.forget(this);
            }
        });
    }

    /** @param withDisk whether it finds what it wrote before */
    public void restart(boolean withDisk) {
        if (isStandalone() && !isAlive()) {
            if (!withDisk) {
                disk.write(List.of());
            }
            boot(() -> {});
        }
    }

    @Override
    public ResourceProfile total() {
        return TOTAL;
    }

    @Override
    public List<SimulatedTask> tasks() {
        return life.map(world.exchange::runningOn).orElse(List.of());
    }

    @Override
    public Optional<SlotReport> slots() {
        if (life.isEmpty() || life.get().isPaused()) {
            return Optional.empty();
        }
        return life.get().atOnce(() -> {
            CompletableFuture<SlotReport> report = node.orElseThrow().slots().toCompletableFuture();
            // A worker that ends itself answers nothing, though its process is there until the end of the event.
            return report.isDone() && !report.isCompletedExceptionally()
                    ? Optional.of(report.join())
                    : Optional.empty();
        });
    }

    @Override
    public String toString() {
        return text;
    }
}
