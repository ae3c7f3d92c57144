package io.berth.simulator.time;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers;
import io.berth.simulator.time.VirtualTime.Event;
import io.berth.simulator.time.VirtualTime.What;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * One life of a simulated process: its clock, its timers and its threads. When it is dead, nothing happens in it.
 * While it is paused, what is due waits.
 */
public final class Incarnation implements Clock, Timers, Executor {

    private static final long MIN_TURN_NANOS = 1_000;
    private static final int TURN_SPREAD_NANOS = 40_000;
    /** How many turns the effect of one message may take. */
    private static final int TURNS_OF_AN_EFFECT = 4;

    private static final long BIRTH_MILLIS = 1_700_000_000_000L;

    private enum State {
        RUNNING,
        PAUSED,
        DEAD
    }

    private final String name;
    private final int number;
    private final String text;
    private final VirtualTime time;
    private final RandomGenerator random;
    private final Deque<Event> waiting = new ArrayDeque<>();
    private State state = State.RUNNING;
    private double rate = 1;
    private long rateSince;
    private long nanosThen;
    private long wallOffsetMillis;
    private long turnSpreadNanos = TURN_SPREAD_NANOS;
    private boolean atOnce;
    private Runnable watcher = () -> {};
    private int turnsToWatch;

    /**
     * @param number counts the lives of the process
     * @param random decides how long its turns take
     */
    public Incarnation(String name, int number, VirtualTime time, RandomGenerator random) {
        this.name = name;
        this.number = number;
        this.text = name + "#" + number;
        this.time = time;
        this.random = random;
        // Clocks of different processes are independent.
        this.nanosThen = random.nextLong(1_000) * VirtualTime.SECOND;
        this.rateSince = time.now();
    }

    public String name() {
        return name;
    }

    int number() {
        return number;
    }

    /** @param watching runs after each turn in which something other than a heartbeat may have had an effect */
    public void watchedBy(Runnable watching) {
        watcher = watching;
    }

    /** Something other than a heartbeat reaches the process. */
    public void touched() {
        turnsToWatch = TURNS_OF_AN_EFFECT;
    }

    /** An event of the process has happened. */
    void happened(What what) {
        if (what == What.TIMER) {
            touched();
        } else if (what == What.TURN && turnsToWatch > 0) {
            turnsToWatch--;
            watcher.run();
        }
    }

    public boolean isAlive() {
        return state != State.DEAD;
    }

    public boolean isPaused() {
        return state == State.PAUSED;
    }

    /** Whether the event happens now. If not, it waits or never happens. */
    boolean takes(Event event) {
        if (state == State.PAUSED) {
            waiting.add(event);
        }
        return state == State.RUNNING;
    }

    /** SIGKILL. */
    public void kill() {
        state = State.DEAD;
        waiting.clear();
    }

    /** SIGSTOP, or a garbage collection that stops the whole process. */
    public void pause() {
        if (state == State.RUNNING) {
            state = State.PAUSED;
        }
    }

    /** SIGCONT. */
    public void resume() {
        if (state == State.PAUSED) {
            state = State.RUNNING;
            while (!waiting.isEmpty()) {
                time.again(waiting.remove());
            }
        }
    }

    /** Sets the wall clock, but not the monotonic one. */
    public void jump(long millis) {
        wallOffsetMillis += millis;
    }

    /** Makes all its clocks faster or slower from now on. */
    public void drift(double newRate) {
        nanosThen = nanos();
        rateSince = time.now();
        rate = newRate;
    }

    /** Sets how much its threads lag behind. */
    public void lag(long spreadNanos) {
        turnSpreadNanos = spreadNanos;
    }

    /** Whether its threads lag behind. */
    public boolean lags() {
        return turnSpreadNanos > TURN_SPREAD_NANOS;
    }

    public void stopLagging() {
        turnSpreadNanos = TURN_SPREAD_NANOS;
    }

    @Override
    public long nanos() {
        return nanosThen + (long) ((time.now() - rateSince) * rate);
    }

    @Override
    public long wallMillis() {
        return BIRTH_MILLIS + time.now() / VirtualTime.MILLI + wallOffsetMillis;
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        long nanos =
                delayMillis > 1_000_000_000L ? Long.MAX_VALUE / 4 : (long) (delayMillis * VirtualTime.MILLI / rate);
        return time.in(nanos, What.TIMER, this, action);
    }

    /** Lets something happen in the process in no time, together with everything that its threads do about it. */
    public <T> T atOnce(Supplier<T> question) {
        boolean before = atOnce;
        atOnce = true;
        try {
            return question.get();
        } finally {
            atOnce = before;
        }
    }

    /** Whether what happens in it now is the answer to a question that nobody asks in the real world. */
    public boolean isAsked() {
        return atOnce;
    }

    /** A thread of its pool runs the action soon. */
    @Override
    public void execute(Runnable action) {
        if (atOnce) {
            action.run();
            return;
        }
        time.in(MIN_TURN_NANOS + random.nextLong(turnSpreadNanos), What.TURN, this, action);
    }

    public Event in(long delayNanos, What what, Runnable action) {
        return time.in(delayNanos, what, this, action);
    }

    @Override
    public String toString() {
        return text;
    }
}
