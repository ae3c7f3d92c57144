package io.berth.core.policies.journal;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.Clock;
import io.berth.core.policies.cache.PoolState;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObserver;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.frame.RecordedDecision;
import io.berth.core.policies.frame.ScalingFrame;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records decisions in files. Planners and other deciders only put frames into a bounded queue; one thread encodes and writes.
 * When the queue is full or the disk does not take a frame, frames are lost: the journal says how many, and goes on with
 * the next state of the pool, or the next complete frame. Thread-safe; only {@link #close} and {@link #export} wait.
 */
public final class DecisionJournal implements DecisionObserver, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionJournal.class);
    /** Rows of inputs, states and plans that wait: some hundred megabytes at most. */
    private static final long MAX_WAITING = 1_000_000;

    private static final int MAX_KNOWN = 50_000;

    private static final long RETRY_NANOS = 10_000_000_000L;
    private static final long WAIT_SECONDS = 10;

    /** Whose frames are counted together. */
    private record Source(DecisionType type, String pool) {

        static Source of(RecordedDecision frame) {
            return new Source(frame.type(), frame.pool());
        }

        @Override
        public String toString() {
            return type.label() + " decisions" + (pool.isEmpty() ? "" : " of pool " + pool);
        }
    }

    /** @param lost how many frames of its source were dropped before it */
    private record Waiting(RecordedDecision frame, long lost) {

        Source source() {
            return Source.of(frame);
        }
    }

    private final DecisionObservers observers;
    private final Clock clock;
    private final Executor thread;
    private final long maxWaiting;
    private final int maxKnown;
    private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong rows = new AtomicLong();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** Pools of which no frame is missing since their last state, so that deltas suffice. */
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    /** Pools whose state is in the current segment. */
    private final Set<String> stated = ConcurrentHashMap.newKeySet();
    /** Frames that were dropped since the last one that was written. */
    private final Map<Source, Long> dropped = new ConcurrentHashMap<>();

    private volatile Optional<JournalSettings> settings = Optional.empty();
    /** Confined to the thread. */
    private Optional<JournalFiles> files = Optional.empty();

    /** The first segment that this process began in a folder. */
    private record Begun(Path folder, long segment) {}

    /** Files are opened again for other settings; numbers of decisions go on. */
    private volatile Optional<Begun> begun = Optional.empty();

    private boolean failing;
    private long retryAtNanos;

    /** @param thread runs one action after another and may wait for the disk */
    public DecisionJournal(DecisionObservers observers, Clock clock, Executor thread) {
        this(observers, clock, thread, MAX_WAITING, MAX_KNOWN);
    }

    /**
     * @param maxWaiting how many rows may wait to be written
     * @param maxKnown how many values a file may refer to, besides those of states
     */
    DecisionJournal(DecisionObservers observers, Clock clock, Executor thread, long maxWaiting, int maxKnown) {
        this.maxWaiting = maxWaiting;
        this.maxKnown = maxKnown;
        this.observers = observers;
        this.clock = clock;
        this.thread = thread;
    }

    /** Records from now on, or no longer. Files of an earlier time stay until newer ones need their room. */
    public void settings(JournalSettings changed) {
        thread.execute(() -> {
            if (settings.equals(Optional.of(changed))) {
                return;
            }
            boolean wasOn = settings.filter(JournalSettings::on).isPresent();
            settings = Optional.of(changed);
            drain();
            end();
            forget();
            retryAtNanos = clock.nanos();
            failing = false;
            if (changed.on() && !wasOn) {
                observers.add(this);
                LOG.info("decisions are recorded in {}, in at most {} MiB", changed.folder(), changed.mebibytes());
            } else if (!changed.on() && wasOn) {
                observers.remove(this);
                LOG.info("decisions are no longer recorded");
            }
        });
    }

    @Override
    public boolean needsState(String pool) {
        return !stated.contains(pool);
    }

    @Override
    public void decided(DecisionFrame frame) {
        if (frame.before().isEmpty() && !known.contains(frame.pool())) {
            // It begins with a state.
            drop(frame);
        } else if (isFull(frame)) {
            drop(frame);
            known.remove(frame.pool());
            stated.remove(frame.pool());
        } else {
            if (frame.before().isPresent()) {
                known.add(frame.pool());
                stated.add(frame.pool());
            }
            add(frame);
        }
    }

    @Override
    public void scaled(ScalingFrame frame) {
        addComplete(frame);
    }

    @Override
    public void assigned(AssignmentFrame frame) {
        addComplete(frame);
    }

    /** One that needs no state. */
    private void addComplete(RecordedDecision frame) {
        if (isFull(frame)) {
            drop(frame);
        } else {
            add(frame);
        }
    }

    private boolean isFull(RecordedDecision more) {
        return rows.get() > 0 && rows.get() + rowsOf(more) > maxWaiting;
    }

    private void add(RecordedDecision frame) {
        rows.addAndGet(rowsOf(frame));
        waiting.add(new Waiting(
                frame, Optional.ofNullable(dropped.remove(Source.of(frame))).orElse(0L)));
        if (scheduled.compareAndSet(false, true)) {
            thread.execute(this::drain);
        }
    }

    private void drop(RecordedDecision frame) {
        dropped.merge(Source.of(frame), 1L, Long::sum);
    }

    /** What a frame keeps in memory, roughly. */
    private static long rowsOf(RecordedDecision decision) {
        if (decision instanceof ScalingFrame scaling) {
            return 1L + scaling.job().vertices().size() + scaling.job().groups().size();
        }
        if (decision instanceof AssignmentFrame assignment) {
            return 1L
                    + assignment.query().slots().size()
                    + assignment.query().requirements().size();
        }
        DecisionFrame frame = (DecisionFrame) decision;
        long rows = 1L
                + frame.input().workers().size()
                + frame.input().units().size()
                + frame.input().slots().changes().size();
        if (frame.before().isPresent()) {
            PoolState state = frame.before().get();
            rows += state.workers().size()
                    + state.units().size()
                    + state.allocations().size();
        }
        if (frame.result().outcome() instanceof PlanOutcome.Planned planned) {
            rows += planned.runs().size() + planned.reasons().size();
        }
        return rows;
    }

    private void drain() {
        scheduled.set(false);
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            rows.addAndGet(-rowsOf(next.frame()));
            record(next);
        }
    }

    private void record(Waiting next) {
        if (clock.nanos() < retryAtNanos) {
            lose(next);
            return;
        }
        try {
            if (files.isEmpty()) {
                JournalSettings now = settings.orElseThrow();
                JournalFiles opened = new JournalFiles(now, maxKnown);
                if (begun.filter(first -> first.folder().equals(now.folder())).isEmpty()) {
                    begun = Optional.of(new Begun(now.folder(), opened.first()));
                }
                files = Optional.of(opened);
            }
            JournalFiles open = files.get();
            if (next.lost() > 0) {
                open.gap(next.source().type(), next.source().pool(), next.lost(), clock.wallMillis());
                LOG.warn("{} {} are not recorded: the disk was too slow or failed", next.lost(), next.source());
            }
            if (open.write(next.frame(), clock.wallMillis())) {
                stated.clear();
            }
            if (failing) {
                failing = false;
                LOG.info("decisions are recorded again");
            }
        } catch (IOException | RuntimeException failure) {
            failed(next, failure);
        }
    }

    private void lose(Waiting next) {
        dropped.merge(next.source(), 1 + next.lost(), Long::sum);
        forget();
    }

    private void forget() {
        known.clear();
        stated.clear();
    }

    /** Tries again after some time, with less on the disk. */
    private void failed(Waiting next, Exception failure) {
        lose(next);
        retryAtNanos = clock.nanos() + RETRY_NANOS;
        if (!failing) {
            failing = true;
            LOG.warn(
                    "decisions cannot be recorded in {} ({}); the oldest file is deleted, and it is tried again each {} s",
                    settings.map(JournalSettings::folder).orElse(Path.of("")),
                    failure,
                    TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS));
        }
        try {
            if (files.isPresent()) {
                files.get().deleteOldest();
            }
        } catch (IOException alsoFailed) {
            LOG.debug("the oldest file of decisions cannot be deleted", alsoFailed);
        }
    }

    private void end() {
        try {
            if (files.isPresent()) {
                files.get().close();
            }
        } catch (IOException failure) {
            LOG.warn("the last file of decisions may be incomplete: {}", failure.toString());
        }
        files = Optional.empty();
    }

    /**
     * Writes what is recorded, for {@link JournalReader}. Numbers of decisions are those since the control plane started;
     * with one of them, earlier records are left out.
     *
     * @param from the export begins at the last recorded state before this decision
     * @param to it ends after this decision
     * @throws IllegalStateException when nothing is recorded, or nothing of these decisions
     */
    public void export(OptionalLong from, OptionalLong to, OutputStream out) throws IOException {
        await(this::drain);
        Optional<JournalSettings> now = settings;
        List<Path> segments =
                now.isEmpty() ? List.of() : JournalFiles.segments(now.get().folder());
        if (segments.isEmpty()) {
            throw new IllegalStateException(
                    "no decisions are recorded: set decisions.journal = true in etc/io.berth.core.policies.cfg");
        }
        if (from.isPresent() || to.isPresent()) {
            long first = begun.filter(
                            one -> one.folder().equals(now.orElseThrow().folder()))
                    .map(Begun::segment)
                    .orElse(Long.MAX_VALUE);
            segments = segments.stream()
                    .filter(segment -> JournalFiles.number(segment) >= first)
                    .toList();
            OptionalLong oldest = JournalExport.oldestDecision(segments);
            if (oldest.isEmpty()) {
                throw new IllegalStateException(
                        "no decisions are recorded since the control plane started; those of earlier"
                                + " starts are exported without numbers");
            }
            if (to.isPresent() && JournalExport.isBefore(to.getAsLong(), oldest.getAsLong())) {
                throw new IllegalStateException("decision " + to.getAsLong()
                        + " is no longer recorded: the oldest one is " + oldest.getAsLong());
            }
        }
        JournalExport.write(segments, from, to, out);
    }

    private void await(Runnable action) {
        CountDownLatch done = new CountDownLatch(1);
        thread.execute(() -> {
            action.run();
            done.countDown();
        });
        try {
            if (!done.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the disk is too slow for the last decisions");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes what waits, and ends the last file. */
    @Override
    public void close() {
        observers.remove(this);
        await(() -> {
            drain();
            end();
        });
    }
}
