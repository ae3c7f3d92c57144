package io.berth.simulator.seed;

import io.berth.simulator.fault.BatchFaults;
import io.berth.simulator.fault.FaultMatrix;
import io.berth.simulator.fault.MessageFaults;
import io.berth.simulator.fault.MessageFaults.Target;
import io.berth.simulator.fault.ProcessFaults;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.fault.StandingFaults;
import io.berth.simulator.fault.StandingFaults.Habit;
import io.berth.simulator.job.BatchShapes;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Operator;
import io.berth.simulator.oracle.Ledger;
import io.berth.simulator.recovery.Convergence;
import io.berth.simulator.recovery.Finishing;
import io.berth.simulator.recovery.Holdings;
import io.berth.simulator.recovery.LeakCheck;
import io.berth.simulator.recovery.PlannedMoves;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.Master;
import io.berth.simulator.world.World;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Plays one seed: a world that has faults for some minutes, then none, must recover within three times the largest
 * timeout, and so on until its time is over.
 */
public final class Simulation {

    /** Writing and reading messages takes time, so only one in this many seeds does it. */
    private static final int WRITTEN_EACH = 8;

    private static final List<Double> STRENGTHS = List.of(0.0, 0.3, 1.0, 3.0, 10.0);
    /** In a world at rest, no living process is taken for dead. */
    private static final long REST_NANOS = 60 * VirtualTime.SECOND;
    /** How long jobs with an oscillating scaling policy scale without faults. */
    private static final long SCALING_NANOS = 90 * VirtualTime.SECOND;

    /**
     * The result of a seed.
     *
     * @param strikes the faults that happened, by number
     * @param operations the number of operations on messages
     * @param returnRequests how often a ResourceManager asked a unit for slots because a policy proposed it
     * @param lastLines of the trace of a seed that broke an invariant
     */
    public record Result(
            long seed,
            long hash,
            long events,
            long simulatedNanos,
            int recoveries,
            SortedMap<Integer, Fault> strikes,
            int operations,
            long returnRequests,
            Optional<String> violation,
            List<String> lastLines,
            Coverage coverage) {

        public Result {
            strikes = Collections.unmodifiableSortedMap(new TreeMap<>(strikes));
            lastLines = List.copyOf(lastLines);
        }
    }

    private final long seed;
    private final long nanos;
    private final Plan plan;
    private final Part part;
    private final Optional<Consumer<String>> reader;
    private final MessageKinds kinds = new MessageKinds();
    private final Coverage coverage = new Coverage(kinds);
    private final SplittableRandom random;
    /** Of workers that leave in a world at rest. */
    private final SplittableRandom moves;

    private final SortedMap<Integer, Fault> strikes = new TreeMap<>();
    private List<Fault> provoking = List.of();
    private int recoveries;
    private int struck;

    /**
     * @param nanos the virtual time to play
     * @param reader of the trace
     */
    public Simulation(long seed, long nanos, Plan plan, Optional<Consumer<String>> reader) {
        this(seed, nanos, plan, Part.whole(), reader);
    }

    /** @param part the part of it that happens */
    Simulation(long seed, long nanos, Plan plan, Part part, Optional<Consumer<String>> reader) {
        this.plan = plan;
        this.part = part;
        this.seed = seed;
        this.nanos = nanos;
        this.reader = reader;
        // Not the stream of the world: its draws must not depend on these.
        this.random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 1);
        this.moves = new SplittableRandom(seed ^ 0x30FE5L);
    }

    /** The content of a seed's world: standalone workers, workers of a backend, or both. */
    static World.Shape shape(long seed, Plan plan) {
        SplittableRandom drawing = new SplittableRandom(seed + 77);
        int standalone = List.of(5, 5, 2, 0).get(drawing.nextInt(4)) * plan.workers() / 5;
        return new World.Shape(
                1 + drawing.nextInt(2),
                drawing.nextBoolean(),
                standalone,
                plan.workers() - standalone,
                plan.jobs(),
                seed % WRITTEN_EACH == 0);
    }

    public Result play() {
        World world = new World(seed, part.shape().orElseGet(() -> shape(seed, plan)), reader, coverage, kinds);
        ProcessFaults faults = new ProcessFaults(world, random.split());
        MessageFaults messages = new MessageFaults(world, random.split(), part::operates);
        StandingFaults habits = new StandingFaults(world);
        Optional<String> violation = Optional.empty();
        try {
            play(world, faults, messages, habits);
        } catch (Ledger.Violation broken) {
            violation = Optional.of(String.valueOf(broken.getMessage()));
        } catch (RuntimeException failure) {
            violation = Optional.of("the simulation failed: " + failure + " at "
                    + List.of(failure.getStackTrace()).subList(0, Math.min(6, failure.getStackTrace().length)));
        }
        violation.ifPresent(text -> world.trace.log("VIOLATION " + text));
        return new Result(
                seed,
                world.trace.hash(),
                world.time.happened(),
                world.time.now(),
                recoveries,
                strikes,
                messages.operations(),
                world.ledger.returnRequests(),
                violation,
                violation.isPresent() ? world.trace.last() : List.of(),
                coverage);
    }

    private void play(World world, ProcessFaults faults, MessageFaults messages, StandingFaults habits) {
        if (hasAllFaults()) {
            habits.take(Habit.of(seed));
        }
        BatchFaults batch = new BatchFaults(world, habits.over(messages));
        world.interference(batch);
        if (plan.broad() && plan.targets().isEmpty()) {
            FaultMatrix cells = new FaultMatrix(kinds);
            messages.targets(List.of(cells.mainTarget(seed)));
            messages.sideTargets(cells.sideTargets(seed));
            List<Target> all = new ArrayList<>(cells.sideTargets(seed));
            all.add(cells.mainTarget(seed));
            provoking = cells.provoking(all, plan.faults());
        } else {
            messages.targets(plan.targets().isEmpty() ? List.of(cell(kinds, seed)) : plan.targets());
        }
        world.runFor(20 * VirtualTime.SECOND);
        while (world.time.now() < nanos) {
            storm(world, faults, messages, habits, batch);
            if (plan.liveness()) {
                recover(world, habits);
            }
        }
    }

    private boolean hasAllFaults() {
        return plan.faults().size() == Fault.values().length;
    }

    /** The cell of the table that a fixed seed tests most. */
    static Target cell(MessageKinds kinds, long seed) {
        int cells = kinds.count() * Operator.values().length;
        int cell = (int) Math.floorMod(seed, (long) cells);
        return new Target(cell / Operator.values().length, Operator.values()[cell % Operator.values().length]);
    }

    private void storm(
            World world, ProcessFaults faults, MessageFaults messages, StandingFaults habits, BatchFaults batch) {
        world.calm(false);
        world.lateWords.begin();
        habits.begin();
        if (hasAllFaults()) {
            batch.begin();
        }
        messages.begin(plan.strength().orElse(STRENGTHS.get(random.nextInt(STRENGTHS.size()))));
        long end = world.time.now() + (120 + random.nextLong(360)) * VirtualTime.SECOND;
        long gap = (5 + random.nextLong(60)) * VirtualTime.SECOND;
        while (world.time.now() < end) {
            world.runFor(1 + random.nextLong(2 * gap));
            if (!plan.faults().isEmpty()) {
                Fault fault = faults.next(plan.faults(), provoking);
                if (part.strikes(++struck)) {
                    strikes.put(struck, fault);
                    faults.strike(fault);
                }
            }
        }
        world.runFor(random.nextLong(10 * VirtualTime.SECOND));
        world.calm(true);
        world.lateWords.end();
        habits.end();
        batch.end();
        messages.end();
        messages.release();
        faults.heal();
    }

    private void recover(World world, StandingFaults habits) {
        // Messages that are still on their way count as the last fault.
        world.runFor(5 * world.tuning.callDeadline() * VirtualTime.MILLI);
        Holdings holdings = new Holdings(world);
        holdings.watch(3 * world.tuning.largest() * VirtualTime.MILLI);
        Convergence.Look look = Convergence.at(world);
        if (!look.problems().isEmpty()) {
            throw new Ledger.Violation(String.join("; ", look.problems()));
        }
        holdings.watch(REST_NANOS);
        Convergence.Look later = Convergence.at(world);
        if (!later.agrees(look)) {
            throw new Ledger.Violation("C: in a world at rest somebody who lives was lost: workers "
                    + look.registrations() + " became " + later.registrations() + ", restarts of jobs "
                    + look.restarts() + " became " + later.restarts());
        }
        List<String> kept = LeakCheck.problems(world);
        if (!kept.isEmpty()) {
            throw new Ledger.Violation(String.join("; ", kept));
        }
        if (habits.letsWorkersLeave()) {
            List<String> moved = PlannedMoves.problems(world, moves);
            if (!moved.isEmpty()) {
                throw new Ledger.Violation(String.join("; ", moved));
            }
        }
        if (BatchShapes.areIn(seed)) {
            List<String> unfinished = Finishing.problems(world);
            if (!unfinished.isEmpty()) {
                throw new Ledger.Violation(String.join("; ", unfinished));
            }
        }
        if (Master.wavers(seed)) {
            world.calm(false);
            new Holdings(world).watch(SCALING_NANOS);
        }
        recoveries++;
    }
}
