package io.berth.simulator.world;

import io.berth.core.api.policy.BackendHost;
import io.berth.simulator.time.Incarnation;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.time.VirtualTime.What;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * A cluster manager as one ResourceManager sees it. After some time it starts the declared workers, replaces those that
 * ended, and stops unwanted ones. In some worlds it finds running workers of a previous ResourceManager, and checks that
 * the ResourceManager waits for them before it starts new ones. It can fail, be sold out for some time, start a worker
 * twice, never answer, report a living worker dead, and take a worker away after a notice.
 */
public final class SimulatedBackend implements BackendHost {

    static final String NAME = "simulated";
    private static final long START_NANOS = 2 * VirtualTime.SECOND;
    private static final long SOLD_OUT_NANOS = 8 * VirtualTime.SECOND;
    private static final long MAX_RETRY_MILLIS = 5_000;
    private static final List<StartFailure.Kind> KINDS = List.of(StartFailure.Kind.values());

    /** The faults of the backends of a world. */
    public static final class Faults {
        /** Percentage of starts that fail. */
        public int failPercent;
        /** Percentage of workers that are granted but never start. */
        public int lostPercent;
        /** Percentage of workers that start twice. */
        public int twicePercent;

        public boolean silent;
        private final List<Runnable> reports = new ArrayList<>();
        private final LongSupplier nanos;
        /** When which worker is taken away; {@link Long#MAX_VALUE} if nobody says. */
        private final SortedMap<WorkerId, Long> takenAway = new TreeMap<>();

        private final List<Predicate<WorkerId>> notices = new ArrayList<>();

        /** @param nanos virtual time */
        Faults(LongSupplier nanos) {
            this.nanos = nanos;
        }

        /**
         * Each backend that has the worker learns when it is taken away.
         *
         * @return whether there is one
         */
        boolean announce(WorkerId worker, long atNanos) {
            takenAway.put(worker, atNanos);
            boolean known = false;
            for (Predicate<WorkerId> notice : List.copyOf(notices)) {
                known |= notice.test(worker);
            }
            return known;
        }

        /** The worker has been taken away. */
        void forget(WorkerId worker) {
            takenAway.remove(worker);
        }

        private void report(WorkerId worker, BackendContext context) {
            Optional.ofNullable(takenAway.get(worker))
                    .ifPresent(at -> context.leaving(
                            worker,
                            at == Long.MAX_VALUE
                                    ? BackendContext.NO_DEADLINE
                                    : (at - nanos.getAsLong()) / VirtualTime.MILLI,
                            "its host is needed"));
        }

        /** Each backend that has a worker reports the first of them dead, although it lives. */
        public void reportOneDead() {
            reports.forEach(Runnable::run);
        }

        public void clear() {
            failPercent = 0;
            lostPercent = 0;
            twicePercent = 0;
            silent = false;
        }
    }

    /** Starts and ends processes of workers. */
    public interface Fleet {

        /** @param ended runs when the process is dead */
        void start(WorkerId worker, WorkerSpec spec, String backend, Runnable ended);

        /** @return whether the worker had a process */
        boolean stop(WorkerId worker);

        /** The processes that run, with the names of their specs. */
        SortedMap<WorkerId, String> running(String backend);

        /** @param ended also runs when the process is dead */
        void follow(WorkerId worker, Runnable ended);
    }

    /**
     * Checks that no worker is started while a worker of a previous ResourceManager may still register.
     *
     * @param isRegistered whether a worker has registered at the ResourceManager
     * @param limitNanos how long the ResourceManager must wait for reported workers
     * @param broken receives a violation
     */
    record Leftovers(Predicate<WorkerId> isRegistered, long limitNanos, Consumer<String> broken) {}

    private final Incarnation process;
    private final RandomGenerator random;
    private final Fleet fleet;
    private final Faults faults;
    private final List<WorkerSpec> specs;
    private final Optional<Leftovers> leftovers;

    /** @param leftovers empty: it knows no workers of a previous ResourceManager */
    SimulatedBackend(
            Incarnation process,
            RandomGenerator random,
            Fleet fleet,
            Faults faults,
            List<WorkerSpec> specs,
            Optional<Leftovers> leftovers) {
        this.process = process;
        this.random = random;
        this.fleet = fleet;
        this.faults = faults;
        this.specs = List.copyOf(specs);
        this.leftovers = leftovers;
    }

    private static WorkerSpec withMaximum(WorkerSpec spec, int maximum) {
        return WorkerSpec.of(spec.name(), spec.total())
                .defaultSlots(spec.defaultSlots())
                .minimum(Math.min(spec.minimum(), maximum))
                .maximum(maximum)
                .labels(spec.labels())
                .taints(spec.taints())
                .costPerHour(spec.costPerHour())
                .startMillis(spec.startMillis())
                .preemptible(spec.preemptible())
                .build();
    }

    @Override
    public AutoCloseable follow(BackendFollower follower) {
        if (specs.isEmpty()) {
            return () -> {};
        }
        Running running = new Running(follower);
        process.in(VirtualTime.MILLI, What.WORLD, () -> {
            if (!running.closed) {
                follower.added(running);
            }
        });
        return running::close;
    }

    private final class Running implements BackendHandle {

        private final BackendFollower follower;
        private final BackendContext context;
        /** What it offers now: sold out specs have a maximum of 0. */
        private List<WorkerSpec> offered = specs;

        private final SortedMap<WorkerId, WorkerSpec> workers = new TreeMap<>();
        private Optional<WorkerDeclaration> declared = Optional.empty();
        private final SortedMap<String, Integer> starting = new TreeMap<>();
        private final Runnable report = this::reportDead;
        private final Predicate<WorkerId> notice = this::announce;
        /** Found running, and not declared unwanted since then. */
        private final SortedSet<WorkerId> found = new TreeSet<>();

        private long foundAtNanos;
        private long counter;
        private boolean closed;

        Running(BackendFollower follower) {
            this.follower = follower;
            context = follower.context(NAME);
            faults.reports.add(report);
            faults.notices.add(notice);
        }

        private boolean announce(WorkerId worker) {
            boolean known = !closed && process.isAlive() && workers.containsKey(worker);
            if (known) {
                process.in(VirtualTime.MILLI, What.WORLD, () -> {
                    if (!closed && workers.containsKey(worker)) {
                        faults.report(worker, context);
                    }
                });
            }
            return known;
        }

        private void reportDead() {
            if (!closed && process.isAlive() && !workers.isEmpty()) {
                process.in(0, What.WORLD, () -> {
                    if (!workers.isEmpty()) {
                        ended(workers.firstKey());
                    }
                });
            }
        }

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public List<WorkerSpec> specs() {
            return offered;
        }

        /** Offers no more workers of the spec for some seconds. */
        private void sellOut(String spec) {
            offer(spec, 0);
            process.in(SOLD_OUT_NANOS / 4 + random.nextLong(SOLD_OUT_NANOS), What.WORLD, () -> {
                if (!closed) {
                    specs.stream().filter(one -> one.name().equals(spec)).forEach(one -> offer(spec, one.maximum()));
                }
            });
        }

        private void offer(String spec, int maximum) {
            offered = offered.stream()
                    .map(one -> one.name().equals(spec) ? withMaximum(one, maximum) : one)
                    .toList();
            follower.specsChanged(this);
        }

        private boolean isSoldOut(String spec) {
            return offered.stream().anyMatch(one -> one.name().equals(spec) && one.maximum() == 0);
        }

        @Override
        public void declare(WorkerDeclaration declaration) {
            process.in(VirtualTime.MILLI, What.WORLD, () -> {
                if (declared.isEmpty() && leftovers.isPresent()) {
                    find();
                }
                declared = Optional.of(declaration);
                found.removeAll(declaration.unwanted());
                for (WorkerId unwanted : declaration.unwanted()) {
                    if (workers.containsKey(unwanted) && !fleet.stop(unwanted)) {
                        process.in(10 * VirtualTime.MILLI, What.WORLD, () -> ended(unwanted));
                    }
                }
                fill();
            });
        }

        private void find() {
            foundAtNanos = process.nanos();
            fleet.running(NAME)
                    .forEach((worker, name) -> specs.stream()
                            .filter(spec -> spec.name().equals(name))
                            .findFirst()
                            .ifPresent(spec -> {
                                workers.put(worker, spec);
                                found.add(worker);
                                fleet.follow(worker, () -> dies(worker));
                                context.started(worker, spec.name());
                                faults.report(worker, context);
                            }));
            context.recovered();
        }

        /** Before a worker is started, all workers that were found must have registered or been given up. */
        private void checkLeftovers(Leftovers rule, WorkerSpec spec) {
            found.removeIf(rule.isRegistered());
            if (!found.isEmpty() && process.nanos() - foundAtNanos < rule.limitNanos()) {
                rule.broken()
                        .accept("S: double start: the ResourceManager on " + process
                                + " asks for another worker of spec " + spec.name() + " while " + found
                                + " run and are still to come");
            }
        }

        private void fill() {
            if (closed || declared.isEmpty()) {
                return;
            }
            if (faults.silent) {
                process.in(5 * VirtualTime.SECOND, What.WORLD, this::fill);
                return;
            }
            for (WorkerSpec spec : specs) {
                int needed = declared.get().needed().getOrDefault(spec.name(), 0);
                int there = starting.getOrDefault(spec.name(), 0);
                for (WorkerSpec of : workers.values()) {
                    there += of.name().equals(spec.name()) ? 1 : 0;
                }
                if (there < needed) {
                    leftovers.ifPresent(rule -> checkLeftovers(rule, spec));
                }
                for (; there < needed; there++) {
                    starting.merge(spec.name(), 1, Integer::sum);
                    process.in(START_NANOS / 4 + random.nextLong(START_NANOS), What.WORLD, () -> start(spec));
                }
            }
        }

        private void start(WorkerSpec spec) {
            starting.merge(spec.name(), -1, Integer::sum);
            if (closed) {
                return;
            }
            int roll = random.nextInt(100);
            if (roll < faults.failPercent || isSoldOut(spec.name())) {
                fail(spec.name());
                process.in(5 * VirtualTime.SECOND, What.WORLD, this::fill);
                return;
            }
            WorkerId worker = new WorkerId(context.workerIdPrefix() + ++counter);
            workers.put(worker, spec);
            context.started(worker, spec.name());
            if (random.nextInt(100) >= faults.lostPercent) {
                launch(worker, spec);
            }
            if (random.nextInt(100) < faults.twicePercent) {
                context.started(worker, spec.name());
                launch(worker, spec);
            }
        }

        private void fail(String spec) {
            StartFailure.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            StartFailure.Builder failure = StartFailure.of(kind, "no room in the cluster");
            if (random.nextBoolean()) {
                failure.retryMillis(1 + random.nextLong(MAX_RETRY_MILLIS));
            }
            context.startFailed(spec, failure.build());
            if (random.nextInt(4) == 0 && !isSoldOut(spec)) {
                sellOut(spec);
            }
        }

        private void launch(WorkerId worker, WorkerSpec spec) {
            fleet.start(worker, spec, NAME, () -> dies(worker));
        }

        private void dies(WorkerId worker) {
            if (process.isAlive()) {
                process.in(10 * VirtualTime.MILLI, What.WORLD, () -> ended(worker));
            }
        }

        private void ended(WorkerId worker) {
            found.remove(worker);
            if (workers.remove(worker) != null && !closed) {
                context.ended(worker, "the process is dead");
                process.in(VirtualTime.SECOND, What.WORLD, this::fill);
            }
        }

        /** Its workers keep running, and the next ResourceManager finds them. */
        void close() {
            closed = true;
            faults.reports.remove(report);
            faults.notices.remove(notice);
        }
    }
}
