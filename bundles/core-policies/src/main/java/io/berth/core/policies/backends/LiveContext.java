package io.berth.core.policies.backends;

import io.berth.core.api.time.Clock;
import io.berth.core.policies.guard.Phases;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.policy.rules.PlainText;
import io.berth.policy.rules.SpecsCheck;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerArchive;
import io.berth.spi.backend.WorkerSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of one backend. After the backend has ended, its reports are counted, logged once and ignored.
 * Thread-safe; never blocks.
 */
final class LiveContext implements BackendContext {

    private static final Logger LOG = LoggerFactory.getLogger(LiveContext.class);

    private final PolicyCandidate candidate;
    private final BackendContext owner;
    private final Clock clock;
    private final LongSupplier betweenCalls;
    private final AtomicLong ignored = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();
    /** Reported before the backend was in use. */
    private Optional<List<WorkerSpec>> early = Optional.empty();

    private Optional<Consumer<List<WorkerSpec>>> user = Optional.empty();
    private volatile boolean ended;
    private volatile boolean workersStay;
    private volatile LongSupplier remaining;

    /** @param deadlineMillis how long a call may take */
    LiveContext(PolicyCandidate candidate, BackendContext owner, Clock clock, long deadlineMillis) {
        this.candidate = candidate;
        this.owner = owner;
        this.clock = clock;
        this.betweenCalls = () -> deadlineMillis;
        this.remaining = betweenCalls;
    }

    /** Calls into the backend, which may ask how much time is left. Runs in the guard. */
    <R> R during(Phases phases, Callable<R> call) throws Exception {
        LongSupplier own = phases::remainingMillis;
        remaining = own;
        try {
            return call.call();
        } finally {
            // A call that hung may return during the next one.
            remaining = remaining == own ? betweenCalls : remaining;
        }
    }

    /**
     * The backend is in use from now on.
     *
     * @param changed receives the specs that it reported since it was created, and later ones, in their order; called
     *     on threads of the backend, except for the first ones
     */
    synchronized void use(Consumer<List<WorkerSpec>> changed) {
        user = Optional.of(changed);
        early.ifPresent(changed);
    }

    /** Another backend may take over the workers: they keep running when this one is closed. */
    void keepWorkers() {
        workersStay = true;
    }

    /** The backend has ended. */
    void end() {
        ended = true;
    }

    /** Number of reports after the end. */
    long ignored() {
        return ignored.get();
    }

    @Override
    public LaunchDescription launch(WorkerId worker, WorkerSpec spec) {
        return owner.launch(worker, spec);
    }

    @Override
    public WorkerArchive archive() throws IOException {
        return owner.archive();
    }

    @Override
    public String name() {
        return owner.name();
    }

    @Override
    public Path directory() {
        return owner.directory();
    }

    @Override
    public long now() {
        return clock.millis();
    }

    @Override
    public long wallTime() {
        return clock.wallMillis();
    }

    @Override
    public ZoneId zone() {
        return clock.zone();
    }

    @Override
    public long remainingMillis() {
        return remaining.getAsLong();
    }

    @Override
    public String workerIdPrefix() {
        return owner.workerIdPrefix();
    }

    @Override
    public boolean workersStay() {
        return workersStay || owner.workersStay();
    }

    @Override
    public void specs(List<WorkerSpec> specs) {
        // The list is foreign code: it is read before the lock is held.
        List<WorkerSpec> checked = checked(specs);
        if (lives("other specs")) {
            synchronized (this) {
                if (user.isEmpty()) {
                    early = Optional.of(checked);
                }
                user.ifPresent(there -> there.accept(checked));
            }
        }
    }

    private List<WorkerSpec> checked(List<WorkerSpec> specs) {
        try {
            return SpecsCheck.copy(specs);
        } catch (IllegalArgumentException refused) {
            String text = candidate + " " + refused.getMessage() + "; its previous specs stay in effect";
            if (refusals.incrementAndGet() == 1) {
                LOG.warn("specs are refused: {}; later ones are not logged", text);
            }
            throw new IllegalArgumentException(text, refused);
        }
    }

    @Override
    public void started(WorkerId worker, String spec) {
        if (lives("that worker " + worker + " started")) {
            owner.started(worker, spec);
        }
    }

    @Override
    public void recovered() {
        if (lives("that it has reported all previous workers")) {
            owner.recovered();
        }
    }

    @Override
    public void leaving(WorkerId worker, long millis, String reason) {
        if (lives("that worker " + worker + " leaves")) {
            owner.leaving(worker, millis, PlainText.cut(reason));
        }
    }

    @Override
    public void ended(WorkerId worker, String diagnostics) {
        if (lives("that worker " + worker + " ended")) {
            owner.ended(worker, PlainText.cut(diagnostics));
        }
    }

    @Override
    public void startFailed(String spec, StartFailure failure) {
        Objects.requireNonNull(spec, "spec");
        StartFailure.Builder plain = StartFailure.of(failure.kind(), PlainText.cut(failure.diagnostics()));
        failure.retryMillis().ifPresent(plain::retryMillis);
        StartFailure reported = plain.build();
        if (lives("that a start failed")) {
            owner.startFailed(spec, reported);
        }
    }

    @Override
    public void queued(String spec, String diagnostics) {
        Objects.requireNonNull(spec, "spec");
        if (lives("that requests are queued")) {
            owner.queued(spec, PlainText.cut(diagnostics));
        }
    }

    private boolean lives(String what) {
        if (!ended) {
            return true;
        }
        if (ignored.incrementAndGet() == 1) {
            LOG.warn("{} has ended and still reports {}: this and later reports are ignored", candidate, what);
        }
        return false;
    }
}
