package io.berth.simulator.fault;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.network.NetworkConditions.Cut;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Master;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The faults of the processes, clocks and network of a world. Each fault ends by itself after some time, and dead
 * processes return. {@link #heal} ends all faults at once.
 */
public final class ProcessFaults {

    /** The faults, each with its share of all faults. */
    public enum Fault {
        KILL_MASTER(8),
        KILL_WORKER(12),
        KILL_ALL_MASTERS(2),
        KILL_MASTER_AND_WORKER(4),
        HALF_OF_THE_WORKERS_VANISH(2),
        PAUSE_MASTER(8),
        PAUSE_WORKER(8),
        LONG_GARBAGE_COLLECTION(4),
        WALL_CLOCK_JUMPS(5),
        CLOCK_DRIFTS(3),
        CUT_IN_HALVES(4),
        CUT_ONE_WAY(5),
        CUT_PAIR(6),
        CUT_BRIDGE(3),
        LOSS(4),
        LATENCY(4),
        THROTTLE(3),
        SECOND_LEADER(7),
        LEADER_FLAPS(4),
        SLOW_POLICIES(5),
        SLOW_THREADS(3),
        BACKEND_FAILS(4),
        BACKEND_SILENT(2),
        LIVING_WORKER_REPORTED_DEAD(3),
        JOB_CANCELED(3),
        SLOTS_WANTED_BACK(4),
        SOMEBODY_LOOKS(2),
        /** Only by a habit of the world, or to cause its messages. */
        WORKER_BLOCKED(0),
        /** Only by a habit of the world, or to cause its messages. */
        WORKER_DRAINED(0),
        /** Only to cause its messages. */
        REQUIREMENTS_CHANGED(0),
        /** Only to cause its messages. */
        LOGS_READ(0),
        /** Only by a habit of the world. */
        ROLE_THROWS(0),
        /** Only by a habit of the world. */
        WORKER_TAKEN_AWAY(0);

        private final int share;

        Fault(int share) {
            this.share = share;
        }
    }

    /** Share of messages lost in {@link Fault#LOSS}. */
    static final double LOSS_SHARE = 0.3;
    /** Added to each message in {@link Fault#LATENCY}. */
    static final long LATENCY_NANOS = 2 * VirtualTime.SECOND;
    /** Wall clocks jump forward and back by one of these. */
    static final List<Long> JUMPS_MILLIS = List.of(3_600_000L, -3_600_000L, 2_592_000_000L, -2_592_000_000L, -5_000L);
    /** Clocks go faster or slower by this share. */
    static final double DRIFT = 0.1;

    private static final List<EndpointName> ROLES =
            List.of(EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS, EndpointName.DISPATCHER);

    private static final List<EndpointName> THROWING = List.of(EndpointName.RESOURCE_MANAGER, EndpointName.JOB_MASTERS);
    private static final int MAX_CALLS = 200;
    private static final long MAX_NOTICE_NANOS = 30 * VirtualTime.SECOND;
    /** When all faults have ended, there is a ResourceManager again that operators can call. */
    private static final long UNDRAIN_NANOS = 15 * VirtualTime.SECOND;

    /** One in this many faults provokes rare messages, if there are any to provoke. */
    private static final int PROVOKES_EACH = 4;

    private final World world;
    private final RandomGenerator random;
    /** A separate stream, so that seeds that provoke nothing keep their meaning. */
    private final RandomGenerator provoked;

    private final User user;
    private final List<Runnable> repairs = new ArrayList<>();

    public ProcessFaults(World world, RandomGenerator random) {
        this.world = world;
        this.random = random;
        this.provoked = new SplittableRandom(~world.seed);
        this.user = new User(world, world.anotherRandom());
    }

    /**
     * Draws the next fault by the shares.
     *
     * @param often faults that are more frequent than their share
     */
    public Fault next(List<Fault> from, List<Fault> often) {
        if (!often.isEmpty() && provoked.nextInt(PROVOKES_EACH) == 0) {
            return often.get(provoked.nextInt(often.size()));
        }
        int sum = 0;
        for (Fault fault : from) {
            sum += fault.share;
        }
        if (sum == 0) {
            return from.get(random.nextInt(from.size()));
        }
        int roll = random.nextInt(sum);
        for (Fault fault : from) {
            roll -= fault.share;
            if (roll < 0) {
                return fault;
            }
        }
        throw new IllegalStateException("shares do not add up");
    }

    public void strike(Fault fault) {
        world.trace.log("fault " + fault);
        switch (fault) {
            case KILL_MASTER -> kill(master());
            case KILL_WORKER -> worker().ifPresent(this::kill);
            case KILL_ALL_MASTERS -> world.masters().forEach(this::kill);
            case KILL_MASTER_AND_WORKER -> {
                kill(master());
                worker().ifPresent(this::kill);
            }
            case HALF_OF_THE_WORKERS_VANISH -> {
                List<Worker> there = world.workers();
                there.subList(0, there.size() / 2).forEach(this::kill);
            }
            case PAUSE_MASTER ->
                pause(living(world.masters().stream().map(Master::life).toList()), 1, 120);
            case PAUSE_WORKER ->
                pause(living(world.workers().stream().map(Worker::life).toList()), 1, 120);
            case LONG_GARBAGE_COLLECTION -> collectGarbage();
            case WALL_CLOCK_JUMPS ->
                any().forEach(process -> process.jump(JUMPS_MILLIS.get(random.nextInt(JUMPS_MILLIS.size()))));
            case CLOCK_DRIFTS ->
                any().forEach(process -> {
                    process.drift(random.nextBoolean() ? 1 + DRIFT : 1 - DRIFT);
                    later(30, 120, () -> process.drift(1));
                });
            case CUT_IN_HALVES -> cutHalves(random.nextBoolean());
            case CUT_ONE_WAY -> cutPairs(1, true);
            case CUT_PAIR -> cutPairs(1, false);
            case CUT_BRIDGE -> cutBridge();
            case LOSS -> {
                world.conditions.lossy(LOSS_SHARE);
                later(5, 90, () -> world.conditions.lossy(0));
            }
            case LATENCY -> {
                world.conditions.slow(LATENCY_NANOS, LATENCY_NANOS / 2);
                later(5, 90, () -> world.conditions.slow(0, 0));
            }
            case THROTTLE -> {
                world.conditions.slow(50 * VirtualTime.MILLI, 4 * VirtualTime.SECOND);
                later(5, 60, () -> world.conditions.slow(0, 0));
            }
            case SECOND_LEADER -> world.election.depose(role(), random.nextLong(30) * VirtualTime.SECOND);
            case LEADER_FLAPS -> {
                EndpointName role = role();
                world.election.depose(role, 5 * VirtualTime.MILLI);
                world.time.in(
                        10 * VirtualTime.MILLI,
                        What.WORLD,
                        world.outside,
                        () -> world.election.depose(role, 5 * VirtualTime.MILLI));
            }
            case SLOW_POLICIES -> {
                world.policySpeed.slow(1_900 * VirtualTime.MILLI);
                later(10, 60, world.policySpeed::usual);
            }
            case SLOW_THREADS ->
                any().forEach(process -> {
                    process.lag(400 * VirtualTime.MILLI);
                    later(5, 40, process::stopLagging);
                });
            case BACKEND_FAILS -> {
                world.backendFaults.failPercent = 50;
                world.backendFaults.lostPercent = 20;
                world.backendFaults.twicePercent = 20;
                later(20, 90, world.backendFaults::clear);
            }
            case BACKEND_SILENT -> {
                world.backendFaults.silent = true;
                later(20, 90, world.backendFaults::clear);
            }
            case LIVING_WORKER_REPORTED_DEAD -> world.backendFaults.reportOneDead();
            case JOB_CANCELED -> user.cancelJob();
            case SLOTS_WANTED_BACK -> user.askForSlots();
            case SOMEBODY_LOOKS -> user.readState();
            case WORKER_BLOCKED -> user.blockOrUnblock();
            case WORKER_DRAINED -> user.drainOrUndrain();
            case REQUIREMENTS_CHANGED -> user.changeRequirements();
            case LOGS_READ -> user.readLogs();
            case ROLE_THROWS -> throwSoon(world, random);
            case WORKER_TAKEN_AWAY -> takeAway(world, random);
        }
    }

    /** The cluster manager takes a worker of a backend away, soon after a notice. */
    static void takeAway(World world, RandomGenerator random) {
        List<Worker> theirs = world.workers().stream()
                .filter(worker -> worker.isAlive() && !worker.isStandalone())
                .toList();
        if (!theirs.isEmpty()) {
            world.takeAway(
                    theirs.get(random.nextInt(theirs.size())).id(),
                    random.nextLong(MAX_NOTICE_NANOS),
                    random.nextInt(4) > 0);
        }
    }

    /** The leader of a role throws in one of its next calls, anywhere on a main thread. */
    static void throwSoon(World world, RandomGenerator random) {
        world.throwingRoles(true);
        EndpointName role = THROWING.get(random.nextInt(THROWING.size()));
        int calls = 1 + random.nextInt(MAX_CALLS);
        world.trace.log("call " + calls + " of the leader of " + role + " throws");
        world.masters().forEach(master -> master.throwIn(role, calls));
    }

    private EndpointName role() {
        return ROLES.get(random.nextInt(ROLES.size()));
    }

    private Master master() {
        return world.masters().get(random.nextInt(world.masters().size()));
    }

    private Optional<Worker> worker() {
        List<Worker> there = world.workers();
        return there.isEmpty() ? Optional.empty() : Optional.of(there.get(random.nextInt(there.size())));
    }

    private void kill(Master master) {
        master.kill("kill -9");
        later(1, 40, master::boot);
    }

    private void kill(Worker worker) {
        worker.kill("kill -9");
        boolean disk = random.nextInt(4) > 0;
        later(1, 40, () -> worker.restart(disk));
    }

    private void pause(List<Incarnation> some, int least, int most) {
        if (!some.isEmpty()) {
            Incarnation process = some.get(random.nextInt(some.size()));
            process.pause();
            world.trace.log(process + " is paused");
            later(least, most, process::resume);
        }
    }

    private void collectGarbage() {
        int seconds = (int) (5 * world.tuning.heartbeatTimeout() / 1_000);
        any().forEach(process -> {
            process.pause();
            world.trace.log(process + " is paused");
            later(seconds, seconds + 1, process::resume);
        });
    }

    private static List<Incarnation> living(List<Optional<Incarnation>> lives) {
        return lives.stream().flatMap(Optional::stream).toList();
    }

    /** One to three living processes. */
    private List<Incarnation> any() {
        List<Incarnation> all = new ArrayList<>(world.living());
        List<Incarnation> some = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0 && !all.isEmpty(); count--) {
            some.add(all.remove(random.nextInt(all.size())));
        }
        return some;
    }

    private void cutHalves(boolean bothWays) {
        List<RpcAddress> one = new ArrayList<>();
        List<RpcAddress> other = new ArrayList<>();
        world.addresses().forEach(address -> (random.nextBoolean() ? one : other).add(address));
        cut(one, other, bothWays);
    }

    private void cutPairs(int count, boolean oneWay) {
        List<RpcAddress> all = new ArrayList<>(world.addresses());
        for (int pair = 0; pair < count && all.size() > 1; pair++) {
            RpcAddress one = all.remove(random.nextInt(all.size()));
            RpcAddress other = all.get(random.nextInt(all.size()));
            cut(List.of(one), List.of(other), !oneWay);
        }
    }

    /** Two halves that can only communicate through one process. */
    private void cutBridge() {
        List<RpcAddress> all = new ArrayList<>(world.addresses());
        all.remove(random.nextInt(all.size()));
        int half = all.size() / 2;
        cut(all.subList(0, half), all.subList(half, all.size()), true);
    }

    private void cut(List<RpcAddress> one, List<RpcAddress> other, boolean bothWays) {
        Cut there = new Cut(one, other);
        world.conditions.cut(there);
        Cut back = new Cut(other, one);
        if (bothWays) {
            world.conditions.cut(back);
        }
        later(2, 120, () -> {
            world.conditions.repair(there);
            world.conditions.repair(back);
        });
    }

    private void later(int leastSeconds, int mostSeconds, Runnable repair) {
        Runnable once = new Runnable() {
            @Override
            public void run() {
                if (repairs.removeIf(other -> other == this)) {
                    repair.run();
                }
            }
        };
        repairs.add(once);
        long nanos =
                leastSeconds * VirtualTime.SECOND + random.nextLong((mostSeconds - leastSeconds) * VirtualTime.SECOND);
        world.time.in(nanos, What.WORLD, world.outside, once);
    }

    /** Repairs everything now. */
    public void heal() {
        world.trace.log("all faults end");
        List.copyOf(repairs).forEach(Runnable::run);
        world.conditions.clear();
        world.backendFaults.clear();
        world.policySpeed.usual();
        THROWING.forEach(role -> world.masters().forEach(master -> master.throwIn(role, 0)));
        world.masters().forEach(Master::boot);
        world.workers().forEach(worker -> worker.restart(true));
        world.living().forEach(Incarnation::resume);
        world.time.in(UNDRAIN_NANOS, What.WORLD, world.outside, user::undrainAll);
    }
}
