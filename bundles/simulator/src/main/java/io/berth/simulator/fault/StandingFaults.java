package io.berth.simulator.fault;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.simulator.job.PooledWorld;
import io.berth.simulator.network.Network.Interference;
import io.berth.simulator.network.NetworkConditions.Cut;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.simulator.world.Worker;
import io.berth.simulator.world.World;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Faults that happen in every storm of some worlds, and never in others. They are too rare among the drawn faults:
 * several at once, or one for a long time. Worlds with two pools also have operators who change them. Draws from its own
 * streams.
 */
public final class StandingFaults {

    /** The habits that a world can have; most worlds have none. */
    public enum Habit {
        NONE,
        /** Many tasks take longer to end than their JobMaster waits. */
        TASKS_END_SLOWLY,
        /** For minutes, notices are lost that other messages make up for. */
        NOTICES_GET_LOST,
        /** Workers are cut off from the ResourceManager, and then from the next one while the first still leads. */
        LEADERS_COME_BACK,
        /** All workers but one are dead for a minute, and their backend does not start others. */
        WORKERS_STAY_AWAY,
        /** Operators block and unblock workers all the time. */
        WORKERS_ARE_BLOCKED,
        /** Operators drain workers and end it, and backends take workers away, all the time. */
        WORKERS_LEAVE,
        /** Calls on main threads throw that never throw otherwise, so that JobMasters and terms of roles fail. */
        ROLES_THROW;

        /** The habit of a seed's world. */
        public static Habit of(long seed) {
            // All but one habit apply where jobs rescale all the time, see Master.
            return switch ((int) Math.floorMod(seed, 9L)) {
                case 0 -> WORKERS_STAY_AWAY;
                case 2 -> WORKERS_ARE_BLOCKED;
                case 3 -> TASKS_END_SLOWLY;
                case 6 -> NOTICES_GET_LOST;
                case 5 -> LEADERS_COME_BACK;
                case 4, 7 -> WORKERS_LEAVE;
                case 8 -> ROLES_THROW;
                default -> NONE;
            };
        }
    }

    /** Longer than a JobMaster waits, and shorter than a worker waits before it ends its process. */
    private static final long SLOW_NANOS = 21 * VirtualTime.SECOND;

    private static final long SLOW_SPREAD_NANOS = 20 * VirtualTime.SECOND;
    private static final long AWAY_NANOS = 60 * VirtualTime.SECOND;
    private static final long BLOCK_PAUSE_NANOS = 15 * VirtualTime.SECOND;
    private static final long TAKE_PAUSE_NANOS = 40 * VirtualTime.SECOND;
    private static final long THROW_PAUSE_NANOS = 10 * VirtualTime.SECOND;
    private static final long MOVE_PAUSE_NANOS = 10 * VirtualTime.SECOND;

    private final World world;
    private final RandomGenerator random;
    private final RandomGenerator moving;
    /** Of what backends take away. */
    private final RandomGenerator leaves;

    private Habit habit = Habit.NONE;
    private long storms;
    private boolean storm;

    @SuppressWarnings("NullAway.Init")
    private LostNotices notices;

    public StandingFaults(World world) {
        this.world = world;
        this.random = new SplittableRandom(world.seed ^ 0x4AB175L);
        this.moving = new SplittableRandom(world.seed ^ 0x90015L);
        this.leaves = new SplittableRandom(world.seed ^ 0x1EA7E5L);
        world.slowEnd(this::slowEndNanos);
    }

    public void take(Habit taken) {
        habit = taken;
    }

    /** Whether workers of this world leave. */
    public boolean letsWorkersLeave() {
        return habit == Habit.WORKERS_LEAVE;
    }

    /** The interference of the habit, or else the given one. */
    public Interference over(Interference others) {
        if (habit != Habit.NOTICES_GET_LOST) {
            return others;
        }
        notices = new LostNotices(world, random, others);
        return notices;
    }

    private long slowEndNanos() {
        return storm && habit == Habit.TASKS_END_SLOWLY && random.nextBoolean()
                ? SLOW_NANOS + random.nextLong(SLOW_SPREAD_NANOS)
                : 0;
    }

    public void begin() {
        storm = true;
        long number = ++storms;
        if (habit == Habit.NOTICES_GET_LOST) {
            notices.begin();
        }
        if (habit == Habit.LEADERS_COME_BACK) {
            later(random.nextLong(20 * VirtualTime.SECOND), number, () -> leadersComeBack(number));
        }
        if (habit == Habit.WORKERS_STAY_AWAY) {
            later(random.nextLong(AWAY_NANOS), number, () -> workersStayAway(number));
        }
        if (habit == Habit.WORKERS_ARE_BLOCKED) {
            blockWorkers(new User(world, random), number);
        }
        if (habit == Habit.WORKERS_LEAVE) {
            drainWorkers(new User(world, random), number);
            takeWorkersAway(number);
        }
        if (habit == Habit.ROLES_THROW) {
            throwAgain(number);
        }
        if (world.pools.arePooled()) {
            changePools(new User(world, moving), number);
        }
    }

    public void end() {
        storm = false;
        storms++;
        if (habit == Habit.NOTICES_GET_LOST) {
            notices.end();
        }
        world.changePools(pools -> pools.remove(false));
    }

    private void later(long nanos, long number, Runnable action) {
        world.time.in(nanos, What.WORLD, world.outside, () -> {
            if (number == storms) {
                action.run();
            }
        });
    }

    private void leadersComeBack(long number) {
        long cutNanos = world.tuning.heartbeatTimeout() * VirtualTime.MILLI + 10 * VirtualTime.SECOND;
        world.election.leader(EndpointName.RESOURCE_MANAGER).ifPresent(first -> {
            world.election.depose(EndpointName.RESOURCE_MANAGER, 2 * cutNanos + 10 * VirtualTime.SECOND);
            world.election
                    .leader(EndpointName.RESOURCE_MANAGER)
                    .filter(second -> !second.address().equals(first.address()))
                    .ifPresent(second -> {
                        world.trace.log("workers are cut off from " + first + " and then from " + second);
                        cutOff(first.address(), cutNanos);
                        later(cutNanos, number, () -> cutOff(second.address(), cutNanos));
                    });
        });
    }

    private void workersStayAway(long number) {
        List<Worker> there = world.workers();
        if (!there.isEmpty()) {
            Worker staying = there.get(random.nextInt(there.size()));
            world.trace.log("all workers but " + staying + " stay away");
            world.backendFaults.silent = true;
            there.stream().filter(worker -> worker != staying).forEach(worker -> worker.kill("it stays away"));
            later(AWAY_NANOS, number, () -> {
                world.backendFaults.silent = false;
                there.forEach(worker -> worker.restart(true));
            });
        }
        later(2 * AWAY_NANOS + random.nextLong(AWAY_NANOS), number, () -> workersStayAway(number));
    }

    private void blockWorkers(User operator, long number) {
        later(random.nextLong(BLOCK_PAUSE_NANOS), number, () -> {
            operator.blockOrUnblock();
            blockWorkers(operator, number);
        });
    }

    private void drainWorkers(User operator, long number) {
        later(random.nextLong(BLOCK_PAUSE_NANOS), number, () -> {
            operator.drainOrUndrain();
            drainWorkers(operator, number);
        });
    }

    private void changePools(User operator, long number) {
        later(moving.nextLong(MOVE_PAUSE_NANOS), number, () -> {
            switch (moving.nextInt(10)) {
                case 0 -> world.changePools(PooledWorld::useOtherStrategy);
                case 1 -> world.changePools(pools -> pools.remove(pools.isThere()));
                default -> operator.moveWorker();
            }
            changePools(operator, number);
        });
    }

    private void takeWorkersAway(long number) {
        later(TAKE_PAUSE_NANOS / 2 + leaves.nextLong(TAKE_PAUSE_NANOS), number, () -> {
            ProcessFaults.takeAway(world, leaves);
            takeWorkersAway(number);
        });
    }

    private void throwAgain(long number) {
        later(random.nextLong(THROW_PAUSE_NANOS), number, () -> {
            ProcessFaults.throwSoon(world, random);
            throwAgain(number);
        });
    }

    private void cutOff(RpcAddress master, long nanos) {
        List<RpcAddress> workers = world.workers().stream().map(Worker::address).toList();
        List<Cut> cuts = List.of(new Cut(workers, List.of(master)), new Cut(List.of(master), workers));
        cuts.forEach(world.conditions::cut);
        world.time.in(nanos, What.WORLD, world.outside, () -> cuts.forEach(world.conditions::repair));
    }
}
