package io.berth.simulator.world;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.rpc.InProcessRpc;
import io.berth.simulator.gateway.LateMessages;
import io.berth.simulator.job.BatchShapes;
import io.berth.simulator.job.Exchange;
import io.berth.simulator.job.JobShapes;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.job.LabeledWorld;
import io.berth.simulator.job.Output;
import io.berth.simulator.job.PooledWorld;
import io.berth.simulator.job.UnsatisfiableDemand;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.Interferences;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.NetworkConditions;
import io.berth.simulator.oracle.Ledger;
import io.berth.simulator.oracle.WatchedJobs;
import io.berth.simulator.oracle.WatchedResourceManager;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.Trace;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.PolicyThreads.PolicySpeed;
import io.berth.simulator.world.SimulatedBackend.Faults;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * A cluster of simulated processes around the core classes, all of it in one thread and one virtual time, drawn from
 * one seed. It moves only in {@link #runFor}.
 */
public final class World {

    /** Until then, every ResourceManager whose process does not lag knows the pools. */
    private static final long POOLS_CHANGE_NANOS = VirtualTime.SECOND;

    private static final int MAX_RESTARTS = 5;
    /** So late a process learns that another one leads, and longer. */
    private static final long LATE_NANOS = 60 * VirtualTime.SECOND;

    /**
     * The content of a world.
     *
     * @param masters processes of the control plane
     * @param together whether each of them has all roles; otherwise each role has its own two processes
     * @param standaloneWorkers workers that exist from the start and return when they die
     * @param backendWorkers how many workers a backend may start
     * @param jobs that run at a time
     * @param written whether messages are serialized on their way
     */
    public record Shape(
            int masters, boolean together, int standaloneWorkers, int backendWorkers, int jobs, boolean written) {}

    public final long seed;
    public final Shape shape;
    public final Tuning tuning;
    public final Trace trace;
    public final VirtualTime time;
    public final Incarnation outside;
    public final Network network;
    public final NetworkConditions conditions;
    public final Election election;
    public final WatchedJobs watchedJobs;
    public final Exchange exchange;
    public final Ledger ledger;
    public final Output output;
    public final PooledWorld pools;
    public final LabeledWorld labels;
    public final JobStore jobs;
    public final LateMessages lateWords;
    public final PolicySpeed policySpeed = new PolicySpeed();
    public final Faults backendFaults;
    private final SplittableRandom random;
    private final List<Master> masters = new ArrayList<>();
    private final SortedMap<WorkerId, Worker> workers = new TreeMap<>();
    private Optional<EndpointRef> leader = Optional.empty();
    private final InProcessRpc observer;
    private int ports = 1_000;
    private int standaloneWorkers;
    private boolean calm = true;
    private boolean finishing;
    private boolean crowded;
    private boolean throwingRoles;
    private long poolsChangedAt;
    private Interference interference = Interferences.none();
    private LongSupplier slowEnd = () -> 0;

    public World(long seed, Shape shape, Optional<Consumer<String>> reader, Coverage coverage, MessageKinds kinds) {
        this(seed, shape, Tuning.drawn(new SplittableRandom(seed ^ 0x5DEECE66DL)), reader, coverage, kinds);
    }

    public World(
            long seed,
            Shape shape,
            Tuning tuning,
            Optional<Consumer<String>> reader,
            Coverage coverage,
            MessageKinds kinds) {
        this.seed = seed;
        this.shape = shape;
        this.tuning = tuning;
        random = new SplittableRandom(seed);
        trace = new Trace(reader);
        time = new VirtualTime(trace);
        backendFaults = new Faults(time::now);
        outside = new Incarnation("outside", 0, time, random.split());
        conditions = new NetworkConditions(random.split());
        ledger = new Ledger(trace, this::workerOf);
        output = new Output(ledger);
        watchedJobs = new WatchedJobs(
                output,
                time::now,
                grace(tuning),
                maxRestarts(),
                this::hasThrowingRoles,
                () -> exchange().results(),
                this::storedJob,
                ledger);
        exchange = new Exchange(random.split(), watchedJobs, this::standsStill, new DataConnections(this));
        network = new Network(
                time,
                outside,
                trace,
                random.split(),
                conditions,
                kinds,
                coverage,
                tuning.callDeadline(),
                interference,
                ledger::broken);
        election = new Election(time, outside, trace, random.split(), () -> interference.epochChanged());
        pools = PooledWorld.of(seed);
        labels = LabeledWorld.of(seed, pools);
        jobs = new JobStore(
                outside,
                trace,
                watchedJobs,
                () -> new JobShapes(
                        anotherRandom(),
                        UnsatisfiableDemand.of(seed),
                        labels,
                        pools,
                        BatchShapes.of(seed),
                        new SplittableRandom(seed ^ 0x2B1AB315L)));
        lateWords = new LateMessages(time, outside, new SplittableRandom(seed ^ 0x1A7E0D5L));
        observer = network.listen(outside, address("observer"), false);
        build();
    }

    private Exchange exchange() {
        return exchange;
    }

    private Optional<JobStore.Stored> storedJob(JobId job) {
        return jobs.find(job);
    }

    /** How often a job may restart without progress; -1: without limit. */
    int maxRestarts() {
        return BatchShapes.haveLimitedRestarts(seed) ? MAX_RESTARTS : -1;
    }

    /** A former JobMaster goes on with the workers that know no other one, until its process learns that it does not lead. */
    private static WatchedJobs.Grace grace(Tuning tuning) {
        long noticed = (2 * tuning.heartbeatTimeout() + 2 * tuning.callDeadline() + tuning.cancelTimeout())
                * VirtualTime.MILLI;
        return new WatchedJobs.Grace(noticed, noticed + 2 * tuning.heartbeatTimeout() * VirtualTime.MILLI + LATE_NANOS);
    }

    private void build() {
        List<EndpointName> all =
                List.of(EndpointName.DISPATCHER, EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS);
        if (shape.together()) {
            for (int number = 1; number <= shape.masters(); number++) {
                masters.add(new Master(this, "master-" + number, address("master"), all));
            }
        } else {
            for (EndpointName role : all) {
                for (int number = 1; number <= shape.masters(); number++) {
                    masters.add(new Master(this, role + "-" + number, address("master"), List.of(role)));
                }
            }
        }
        masters.forEach(Master::boot);
        join(shape.standaloneWorkers());
        keepJobs();
    }

    /** Adds standalone workers. */
    public void join(int count) {
        for (int joined = 0; joined < count; joined++) {
            int number = ++standaloneWorkers;
            Worker worker =
                    new Worker(this, new WorkerId("w-" + number), Worker.STANDALONE, "", labels.standalone(number));
            workers.put(worker.id(), worker);
            worker.boot(() -> {});
        }
    }

    /** Only reads: questions through it do not change the world. */
    public InProcessRpc observer() {
        return observer;
    }

    public RandomGenerator anotherRandom() {
        return random.split();
    }

    UUID id() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    RpcAddress address(String host) {
        return new RpcAddress(host, ++ports);
    }

    public List<Master> masters() {
        return masters;
    }

    /** The endpoint of the leader of a role, as the election knows it. */
    public Optional<EndpointRef> serving(EndpointName role) {
        return election.leader(role)
                .flatMap(leader -> masters.stream()
                        .filter(master -> master.life()
                                .filter(life -> life == leader.process())
                                .isPresent())
                        .findFirst()
                        .flatMap(master -> master.serving(role)));
    }

    List<RpcAddress> masterAddresses() {
        return masters.stream().map(Master::address).toList();
    }

    public List<Worker> workers() {
        return List.copyOf(workers.values());
    }

    /** The worker specs that the backend offers. */
    List<WorkerSpec> specs() {
        return shape.backendWorkers() == 0
                ? List.of()
                : List.of(WorkerSpec.of("standard", Worker.TOTAL)
                        .defaultSlots(Worker.DEFAULT_SLOTS)
                        .maximum(shape.backendWorkers())
                        .labels(labels.started().labels())
                        .build());
    }

    private Worker started(WorkerId id, String backend, WorkerSpec spec) {
        return new Worker(this, id, backend, spec.name(), labels.started());
    }

    /** Processes of workers that a backend starts. */
    public SimulatedBackend.Fleet fleet() {
        return new SimulatedBackend.Fleet() {
            @Override
            public void start(WorkerId worker, WorkerSpec spec, String backend, Runnable ended) {
                Worker there = workers.computeIfAbsent(worker, id -> started(id, backend, spec));
                if (there.isAlive()) {
                    // The same id again, at another address.
                    there = started(worker, backend, spec);
                    workers.put(twin(worker.value()), there);
                }
                there.boot(ended);
            }

            @Override
            public boolean stop(WorkerId worker) {
                Optional<Worker> there = Optional.ofNullable(workers.get(worker));
                there.ifPresent(process -> process.kill("its backend stops it"));
                return there.isPresent();
            }

            @Override
            public SortedMap<WorkerId, String> running(String backend) {
                SortedMap<WorkerId, String> running = new TreeMap<>();
                workers.values().stream()
                        .filter(worker -> worker.isAlive() && worker.isOfBackend(backend))
                        .forEach(worker -> running.put(worker.id(), worker.spec()));
                return running;
            }

            @Override
            public void follow(WorkerId worker, Runnable ended) {
                // Also one that was started twice under this id, of which the first process may be dead.
                workers.values().stream()
                        .filter(there -> there.isAlive() && there.id().equals(worker))
                        .forEach(there -> there.follow(ended));
            }
        };
    }

    /** Whether backends find the workers of a previous ResourceManager, and these find the leader on their machine. */
    boolean finds() {
        return seed % 2 == 1;
    }

    /** A ResourceManager says on the machine of the workers where it is served. */
    void leads(EndpointRef resourceManager) {
        if (leader.filter(
                        known -> known.token().epoch() > resourceManager.token().epoch())
                .isPresent()) {
            return;
        }
        leader = Optional.of(resourceManager);
        if (finds()) {
            workers.values().forEach(worker -> worker.find(resourceManager));
        }
    }

    Optional<EndpointRef> leader() {
        return leader;
    }

    private static WorkerId twin(String name) {
        return new WorkerId(name + "-twin");
    }

    /** A worker of a backend is permanently gone. */
    void forget(Worker worker) {
        workers.values().removeIf(there -> there == worker);
    }

    public Optional<Worker> workerOf(Incarnation process) {
        return Stream.of(new WorkerId(process.name()), twin(process.name()))
                .flatMap(id -> Optional.ofNullable(workers.get(id)).stream())
                .filter(worker -> worker.isOf(process))
                .findFirst();
    }

    public List<Incarnation> living() {
        List<Incarnation> living = new ArrayList<>();
        masters.forEach(master -> master.life().ifPresent(living::add));
        workers.values().forEach(worker -> worker.life().ifPresent(living::add));
        return living;
    }

    public List<RpcAddress> addresses() {
        List<RpcAddress> addresses = new ArrayList<>(masterAddresses());
        workers.values().forEach(worker -> addresses.add(worker.address()));
        return addresses;
    }

    /** Kills a process because a message needs it dead; it returns after some time. */
    public void kill(Incarnation process) {
        for (Master master : masters) {
            if (master.life().filter(life -> life == process).isPresent()) {
                master.kill("a message waits for it");
                time.in(5 * VirtualTime.SECOND, What.WORLD, outside, master::boot);
            }
        }
        workerOf(process).ifPresent(worker -> {
            worker.kill("a message waits for it");
            time.in(5 * VirtualTime.SECOND, What.WORLD, outside, () -> worker.restart(true));
        });
    }

    /**
     * The cluster manager gives notice that it takes a worker of a backend away, and does so.
     *
     * @param says whether the notice says when
     * @return false if no backend knows the worker: then it stays
     */
    public boolean takeAway(WorkerId worker, long nanos, boolean says) {
        if (!backendFaults.announce(worker, says ? time.now() + nanos : Long.MAX_VALUE)) {
            backendFaults.forget(worker);
            return false;
        }
        trace.log("worker " + worker + " is taken away in " + nanos + (says ? "" : ", which nobody says"));
        time.in(nanos, What.WORLD, outside, () -> {
            backendFaults.forget(worker);
            workers().stream()
                    .filter(there -> there.id().equals(worker))
                    .forEach(there -> there.kill("its cluster manager takes it away"));
        });
        return true;
    }

    /** Whether no faults are injected, so that tasks do not fail by themselves either. */
    boolean isCalm() {
        return calm;
    }

    public void calm(boolean isCalm) {
        calm = isCalm;
    }

    /** Whether tasks neither read nor end by themselves. */
    private boolean standsStill() {
        return calm && !finishing;
    }

    /** In a calm world, lets tasks go on. */
    public void finishing(boolean isFinishing) {
        finishing = isFinishing;
    }

    /**
     * Whether the world is so large that the knowledge of a ResourceManager is not compared before and after each
     * message.
     */
    boolean isCrowded() {
        return crowded;
    }

    /** Must be called before a ResourceManager leads. */
    public void crowded(boolean isCrowded) {
        crowded = isCrowded;
    }

    /** Whether roles throw, so that JobMasters end by themselves. */
    boolean hasThrowingRoles() {
        return throwingRoles;
    }

    public void throwingRoles(boolean areThrowing) {
        throwingRoles = areThrowing;
    }

    /** An operator changes the file of the second pool, if this world may have one. */
    public void changePools(Consumer<PooledWorld> change) {
        if (!pools.arePooled()) {
            return;
        }
        change.accept(pools);
        trace.log("the file of the second pool " + (pools.isThere() ? "is written" : "is removed"));
        poolsChangedAt = time.now();
        masters.forEach(Master::poolsChanged);
    }

    /** The pools as oracles see them: of no worker while the file of the second pool has just changed. */
    WatchedResourceManager.Pools poolsForOracles() {
        return new WatchedResourceManager.Pools() {
            @Override
            public Optional<String> of(WorkerLabels worker) {
                return time.now() - poolsChangedAt < POOLS_CHANGE_NANOS
                        ? Optional.empty()
                        : Optional.of(pools.poolOf(worker));
            }

            @Override
            public boolean isLoose(String pool) {
                return pool.equals(PooledWorld.SIDE);
            }
        };
    }

    private void keepJobs() {
        jobs.keep(shape.jobs());
        time.in(5 * VirtualTime.SECOND, What.WORLD, outside, this::keepJobs);
    }

    /** Sets what happens to messages from now on. */
    public void interference(Interference other) {
        interference = other;
        network.interference(other);
    }

    /** How much longer than usual a task takes to end. */
    long slowEndNanos() {
        return slowEnd.getAsLong();
    }

    /** @param nanos how much longer than usual tasks take to end from now on, evaluated for each task */
    public void slowEnd(LongSupplier nanos) {
        slowEnd = nanos;
    }

    /** A process is dead: everything that knows it is notified. */
    void gone(Incarnation process) {
        process.kill();
        network.gone(process);
        election.gone(process);
        exchange.gone(process);
        ledger.gone(process);
        interference.died(process);
    }

    /** Lets virtual time pass. */
    public void runFor(long nanos) {
        long until = time.now() + nanos;
        while (time.step(until)) {
            ledger.check();
        }
    }
}
