package io.berth.core.policies.sequence;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.core.policies.registry.HostSettings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Simulates the time and the threads of a policy host on one thread. A seed determines the order of everything. A call
 * that hangs runs the rest of the world on top of its own stack, so it can return only after the calls that began
 * later.
 */
final class World implements Clock, Timers {

    static final int LANE_THREADS = 2;

    /** A thread of a bundle during a call. */
    static final class Frame {
        final String lane;
        final Answer answer = new Answer();
        private Optional<Timer> deadline = Optional.empty();
        /** The id of the called policy; 0 before the call reaches the policy. */
        long id;

        String what = "";
        String owner = "";
        long instance;
        boolean expired;
        boolean interrupted;
        boolean woken;

        private Frame(String lane) {
            this.lane = lane;
        }
    }

    private static final class Timer implements Cancellable {
        private final long at;
        private final long number;
        private final Runnable action;
        private Optional<Frame> frame = Optional.empty();
        private boolean canceled;

        private Timer(long at, long number, Runnable action) {
            this.at = at;
            this.number = number;
            this.action = action;
        }

        @Override
        public void cancel() {
            canceled = true;
        }
    }

    /** The steps of a test. */
    interface Script {
        boolean more();

        void step();

        /** Called when nothing is running except abandoned calls. */
        void quiet();
    }

    private final Random random;
    private final boolean storm;
    private final Consumer<Frame> expired;
    private final List<Runnable> ready = new ArrayList<>();
    private int readyFrom;
    private final PriorityQueue<Timer> timers = new PriorityQueue<>(
            Comparator.comparingLong((Timer timer) -> timer.at).thenComparingLong(timer -> timer.number));
    private final Deque<Frame> frames = new ArrayDeque<>();
    private final SortedMap<String, Lane> lanes = new TreeMap<>();
    private Script script;
    private long now = 1_000_000_000L;
    private long timersMade;
    private int mainDepth;
    private boolean ending;
    private boolean wasQuiet;
    private boolean everCapped;
    private Optional<AssertionError> failure = Optional.empty();

    /**
     * @param storm whether steps, calls and timers run in random order; otherwise a step begins after the previous one
     *     has ended
     * @param expired receives each abandoned call
     */
    World(long seed, boolean storm, Consumer<Frame> expired) {
        this.random = new Random(seed);
        this.storm = storm;
        this.expired = expired;
    }

    /** A policy host in this world. A failure on its main threads fails the test. */
    PolicyPlatform host(Function<String, SortedMap<String, String>> configurations, HostSettings settings) {
        return new PolicyPlatform(
                new PolicyHostNode.Environment(this, this, this::main, this::lane, configurations, failure -> {
                    throw new AssertionError(failure);
                }),
                settings);
    }

    void run(Script given) {
        script = given;
        while (failure.isEmpty() && !(ending && ready() == 0 && !timersWait())) {
            turn();
        }
        failure.ifPresent(error -> {
            throw error;
        });
    }

    /** Runs everything that follows from an action of the test. */
    void drain() {
        ending = true;
        while (failure.isEmpty() && (ready() > 0 || timersWait())) {
            turn();
        }
        failure.ifPresent(error -> {
            throw error;
        });
    }

    void fail(String text) {
        if (failure.isEmpty()) {
            failure = Optional.of(new AssertionError(text));
        }
    }

    boolean failed() {
        return failure.isPresent();
    }

    private int ready() {
        return ready.size() - readyFrom;
    }

    private boolean timersWait() {
        while (!timers.isEmpty() && timers.peek().canceled) {
            timers.remove();
        }
        return !timers.isEmpty();
    }

    private void turn() {
        boolean timed = timersWait();
        boolean more = !ending && script.more();
        if (ready() == 0 && !timed) {
            if (frames.stream().anyMatch(frame -> !frame.expired)) {
                fail("a call into " + frames.peek().lane + " hangs and has no deadline");
            }
            if (more && (!storm || !wasQuiet)) {
                wasQuiet = true;
                script.quiet();
                if (!storm) {
                    script.step();
                }
                return;
            }
            if (!more) {
                ending = true;
                return;
            }
        }
        wasQuiet = false;
        int roll = storm ? random.nextInt(10) : 0;
        if (ready() > 0 && (roll < 7 || !timed && !more)) {
            task().run();
        } else if (timed && (roll < 8 || !more)) {
            fire(timers.remove());
        } else if (more) {
            script.step();
        } else {
            task().run();
        }
    }

    private Runnable task() {
        if (storm) {
            int at = readyFrom + random.nextInt(ready());
            Runnable task = ready.get(at);
            ready.set(at, ready.get(ready.size() - 1));
            ready.remove(ready.size() - 1);
            return task;
        }
        Runnable task = ready.get(readyFrom++);
        if (readyFrom == ready.size()) {
            ready.clear();
            readyFrom = 0;
        }
        return task;
    }

    private void fire(Timer timer) {
        now = Math.max(now, timer.at);
        timer.frame.ifPresent(frame -> {
            frame.expired = true;
            Lane lane = lanes.get(frame.lane);
            lane.most = Math.max(lane.most, ++lane.abandonedNow);
            everCapped |= lane.most >= SequenceModel.MAX_ABANDONED || abandoned() >= SequenceModel.MAX_ABANDONED_IN_ALL;
            expired.accept(frame);
        });
        timer.action.run();
        boolean interrupted = Thread.interrupted();
        timer.frame.ifPresent(frame -> frame.interrupted |= interrupted);
        if (timer.frame.isPresent() && !interrupted) {
            fail("a call into " + timer.frame.get().lane + " was abandoned and not interrupted");
        }
    }

    /** The pool of the host's main threads. */
    void main(Runnable turn) {
        ready.add(() -> {
            mainDepth++;
            try {
                turn.run();
            } finally {
                mainDepth--;
            }
        });
    }

    boolean onMain() {
        return mainDepth > 0;
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public long wallMillis() {
        return now / 1_000_000;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        Timer timer = new Timer(now + delayMillis * 1_000_000, ++timersMade, action);
        if (mainDepth == 0 && !frames.isEmpty() && frames.peek().deadline.isEmpty()) {
            timer.frame = Optional.of(frames.peek());
            frames.peek().deadline = timer.frame.map(frame -> timer);
        }
        timers.add(timer);
        return timer;
    }

    /** The call that is running. */
    Frame frame() {
        return frames.getFirst();
    }

    /** Abandoned calls that have not returned. */
    List<Frame> hanging() {
        return frames.stream().filter(frame -> frame.expired).toList();
    }

    int abandoned() {
        return lanes.values().stream().mapToInt(lane -> lane.abandonedNow).sum();
    }

    /**
     * The greatest number of abandoned calls of a bundle, for one pool, at one time since the step began. At least the
     * limit of a pool when the bundle may have reached that of all pools.
     */
    int mostAbandoned(String guard) {
        List<Integer> most = lanes.values().stream()
                .filter(lane -> lane.name.equals(guard) || lane.name.startsWith(guard + "-pool-"))
                .map(lane -> lane.most)
                .toList();
        int all = most.stream().mapToInt(Integer::intValue).sum();
        int ofOne = most.stream().mapToInt(Integer::intValue).max().orElse(0);
        return all < SequenceModel.MAX_ABANDONED_IN_ALL ? ofOne : Math.max(ofOne, SequenceModel.MAX_ABANDONED);
    }

    void stepBegins() {
        lanes.values().forEach(lane -> lane.most = lane.abandonedNow);
    }

    /** Keeps the running call from returning for that time, at most until the world ends. */
    void stay(Frame frame, long millis, boolean interruptible) {
        long until = millis == Long.MAX_VALUE ? Long.MAX_VALUE : now + millis * 1_000_000;
        if (until != Long.MAX_VALUE) {
            timers.add(new Timer(until, ++timersMade, () -> {}));
        }
        while (failure.isEmpty()
                && now < until
                && !frame.woken
                && !(interruptible && frame.interrupted)
                && !(ending && frame.expired)) {
            turn();
        }
    }

    /** Whether a bundle ever had no threads left, so that some calls were not made. */
    boolean everCapped() {
        return everCapped;
    }

    List<String> lanesNotEnded() {
        return lanes.values().stream()
                .filter(lane -> !lane.ended)
                .map(lane -> lane.name)
                .toList();
    }

    /** The threads of a bundle for one pool: two, and one more for each abandoned call. */
    GuardThreads lane(String name) {
        Lane lane = new Lane(name);
        Lane before = lanes.put(name, lane);
        if (before != null) {
            lane.abandonedNow = before.abandonedNow;
            lane.most = before.most;
            if (!before.ended) {
                fail("bundle " + name + " has two pools of threads");
            }
        }
        return lane;
    }

    private final class Lane implements GuardThreads {
        private final String name;
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int size = LANE_THREADS;
        private int running;
        private int abandonedNow;
        private int most;
        private boolean ended;

        private Lane(String name) {
            this.name = name;
        }

        @Override
        public void execute(Runnable call) {
            if (ended) {
                throw new RejectedExecutionException(name + " has ended");
            }
            waiting.add(call);
            begin();
        }

        private void begin() {
            if (running < size && !waiting.isEmpty()) {
                running++;
                Runnable call = waiting.remove();
                ready.add(() -> run(call));
            }
        }

        private void run(Runnable call) {
            if (mainDepth > 0) {
                fail("a call into " + name + " runs on a main thread");
            }
            Frame frame = new Frame(name);
            frames.push(frame);
            ClassLoader before = Thread.currentThread().getContextClassLoader();
            try {
                call.run();
            } finally {
                if (frames.pop() != frame) {
                    fail("calls end out of order");
                }
                if (Thread.currentThread().getContextClassLoader() != before) {
                    Thread.currentThread().setContextClassLoader(before);
                    fail("a call into " + name + " leaves its class loader to the thread");
                }
            }
            if (frame.expired) {
                lanes.get(name).abandonedNow--;
            }
            running--;
            begin();
        }

        @Override
        public void abandoned() {
            size++;
            begin();
        }

        @Override
        public void returned() {
            size--;
        }

        @Override
        public void end() {
            ended = true;
        }
    }
}
