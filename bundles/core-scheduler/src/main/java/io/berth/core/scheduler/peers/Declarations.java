package io.berth.core.scheduler.peers;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.JobIdentity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Declares the requirements of a job to its ResourceManager (FLIP-138): absolute and numbered, repeated until
 * acknowledged, and once more after each registration. A newer declaration replaces the one before. Confined to the
 * main thread of the job.
 */
final class Declarations {

    private static final Logger LOG = LoggerFactory.getLogger(Declarations.class);
    private static final long FIRST_RETRY_MILLIS = 1;
    private static final long RENOUNCE_MILLIS = 1_000;

    private final JobIdentity job;
    private final MainThread thread;
    private final Backoff backoff;
    private final Consumer<Throwable> callFailed;
    private Optional<ResourceManagerGateway> receiver = Optional.empty();
    /** By unit, in the order in which units came. */
    private final Map<String, UnitRequirement> required = new LinkedHashMap<>();

    private Optional<Long> lastRescaleMillis = Optional.empty();
    private boolean declared;
    private boolean closed;
    private long sequence;
    private long acknowledged;
    private Cancellable retry = () -> {};

    /**
     * @param retryMaxMillis longest pause before a declaration is sent again
     * @param callFailed receives each failure of a call; may end the connection
     */
    Declarations(JobIdentity job, MainThread thread, long retryMaxMillis, Consumer<Throwable> callFailed) {
        this.job = job;
        this.thread = thread;
        this.backoff = new Backoff(FIRST_RETRY_MILLIS, retryMaxMillis);
        this.callFailed = callFailed;
    }

    /**
     * Declares the requirements of a unit, of which none means that the unit requires nothing; nothing is sent when they
     * are unchanged.
     */
    void declare(UnitRequirement unit) {
        Optional<UnitRequirement> now =
                Optional.of(unit).filter(some -> !some.groups().isEmpty());
        if (closed || declared && now.equals(Optional.ofNullable(required.get(unit.unit())))) {
            return;
        }
        declared = true;
        now.ifPresentOrElse(some -> required.put(unit.unit(), some), () -> required.remove(unit.unit()));
        declareNext();
    }

    /** Declares what the last rescale cost; nothing is sent when it is the same as before. */
    void rescaled(long millis) {
        Optional<Long> now = Optional.of(millis);
        if (closed || now.equals(lastRescaleMillis)) {
            return;
        }
        lastRescaleMillis = now;
        if (declared) {
            declareNext();
        }
    }

    private void declareNext() {
        sequence++;
        backoff.reset();
        send();
    }

    /** The job is registered at this ResourceManager. */
    void connected(ResourceManagerGateway gateway) {
        receiver = Optional.of(gateway);
        backoff.reset();
        if (declared) {
            // A new number: whatever the ResourceManager received before, this is all that is required.
            sequence++;
            send();
        }
    }

    void disconnected() {
        receiver = Optional.empty();
        acknowledged = 0;
        retry.cancel();
    }

    /**
     * The ResourceManager says which declaration it follows. It may have given up the job and registered it again
     * without its knowledge, by a copy of an earlier call that came late: then it has none.
     */
    void follows(long declaration) {
        if (!closed && declared && isAcknowledged() && declaration < acknowledged) {
            LOG.info(
                    "job {}: the ResourceManager follows declaration {}, not {}: declaring again",
                    job.id(),
                    declaration,
                    acknowledged);
            declareNext();
        }
    }

    /** Number of the last declaration. */
    long sequence() {
        return sequence;
    }

    boolean isAcknowledged() {
        return acknowledged == sequence;
    }

    /** Requires nothing from now on. Completes when the ResourceManager has answered, or after a bounded time. */
    CompletionStage<Void> declareNone() {
        closed = true;
        retry.cancel();
        CompletableFuture<Void> known = new CompletableFuture<>();
        if (receiver.isEmpty()) {
            known.complete(null);
            return known;
        }
        required.clear();
        sequence++;
        Cancellable late = thread.schedule(RENOUNCE_MILLIS, () -> known.complete(null));
        thread.whenComplete(receiver.get().declareRequirements(declaration()), (done, failure) -> {
            late.cancel();
            known.complete(null);
        });
        return known;
    }

    private void send() {
        retry.cancel();
        if (receiver.isEmpty()) {
            return;
        }
        ResourceManagerGateway current = receiver.get();
        long mine = sequence;
        thread.whenComplete(current.declareRequirements(declaration()), (done, failure) -> {
            if (!isLatest(mine, current)) {
                return;
            }
            if (failure == null) {
                acknowledged = mine;
                return;
            }
            callFailed.accept(failure);
            if (isLatest(mine, current)) {
                LOG.warn("job {}: declaration {} failed: {}", job.id(), mine, Failures.text(failure));
                retry = thread.schedule(backoff.next(), this::send);
            }
        });
    }

    private boolean isLatest(long declaration, ResourceManagerGateway to) {
        return !closed
                && declaration == sequence
                && receiver.filter(now -> now == to).isPresent();
    }

    private RequirementsDeclaration declaration() {
        JobGraph graph = job.graph();
        return new RequirementsDeclaration(
                graph.id(),
                job.jobMaster(),
                sequence,
                graph.submissionIndex(),
                graph.attributes(),
                List.copyOf(required.values()),
                lastRescaleMillis);
    }
}
