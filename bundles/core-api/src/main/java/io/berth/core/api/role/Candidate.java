package io.berth.core.api.role;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Timers;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.LeaderElection.Contender;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a candidate for a role. It runs a term while it leads, and nothing while it is a standby. At most
 * one term exists at a time, and each has a greater epoch than the previous one. When a term fails, it ends, the
 * process gives the role up, and it competes again after a pause. The pause grows when terms fail early. Thread-safe.
 *
 * @param <T> type of the component that runs in a term
 */
public final class Candidate<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);

    private static final long MIN_PAUSE_MILLIS = 1_000;
    private static final long MAX_PAUSE_MILLIS = 60_000;
    /** After a term of this length, the back-off starts from the beginning. */
    private static final long STEADY_MILLIS = 60_000;

    private record Term<T>(FencingToken token, T running) {}

    private final EndpointName role;
    private final Supplier<UUID> ids;
    private final Function<FencingToken, T> begin;
    private final BiConsumer<T, String> lose;
    private final Executor background;
    private final Timers timers;
    private final Object lock = new Object();
    private Optional<Term<T>> term = Optional.empty();
    private Runnable startCompeting = () -> {};
    /** Guarded by {@code lock}. */
    private final Backoff pauses = new Backoff(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);

    private volatile boolean leads;
    private Optional<AutoCloseable> contest = Optional.empty();
    /** Whether the process waits to compete again after a failed term. */
    private boolean pausing;

    private boolean ended;

    /**
     * @param ids creates the ids of the terms' fencing tokens
     * @param begin begins a term, on a thread of the election; it may block. If it throws, it must leave nothing of
     *     the term behind, and another process may lead
     * @param lose ends a term whose leadership was lost, with the cause; it must not notify others
     * @param background ends failed terms, which may block
     * @param timers for the pause after a failed term
     */
    public Candidate(
            EndpointName role,
            Supplier<UUID> ids,
            Function<FencingToken, T> begin,
            BiConsumer<T, String> lose,
            Executor background,
            Timers timers) {
        this.role = role;
        this.ids = ids;
        this.begin = begin;
        this.lose = lose;
        this.background = background;
        this.timers = timers;
    }

    /**
     * Begins to compete; called once. Returns before the outcome of the election is known.
     *
     * @param address address at which the role is served while this process leads
     */
    public void compete(LeaderElection election, RpcAddress address) {
        LOG.info("Role {}: this process is a candidate for it, at {}", role, address);
        startCompeting = () -> startCompeting(election, address);
        startCompeting.run();
    }

    private void startCompeting(LeaderElection election, RpcAddress address) {
        AutoCloseable begun = election.compete(role.value(), address.toString(), new Leadership());
        boolean endedMeanwhile;
        synchronized (lock) {
            endedMeanwhile = ended;
            contest = Optional.of(begun);
        }
        if (endedMeanwhile) {
            stopCompeting();
        }
    }

    /**
     * The term failed, so its state may be inconsistent. It ends on the background executor, and the next one starts
     * with new state. Returns at once. The call has no effect when that term has already ended.
     */
    public void fail(FencingToken failed, Throwable cause) {
        background.execute(() -> {
            long pause;
            synchronized (lock) {
                if (term.filter(leading -> leading.token().equals(failed)).isEmpty()) {
                    return;
                }
                pause = pauses.next();
                LOG.error(
                        "Role {}: its term {} failed and ends; this process competes again in {} ms",
                        role,
                        failed,
                        pause,
                        cause);
                pausing = true;
                endLostTerm("its term failed: " + cause);
            }
            stopCompeting();
            timers.schedule(pause, this::competeAgain);
        });
    }

    private void competeAgain() {
        synchronized (lock) {
            if (ended) {
                return;
            }
            pausing = false;
        }
        try {
            startCompeting.run();
        } catch (RuntimeException failure) {
            long pause;
            synchronized (lock) {
                pause = pauses.next();
            }
            LOG.error("Role {}: this process cannot compete for it; it tries again in {} ms", role, pause, failure);
            timers.schedule(pause, this::competeAgain);
        }
    }

    private void endLostTerm(String cause) {
        Optional<Term<T>> lost = term;
        term = Optional.empty();
        leads = false;
        try {
            lost.ifPresent(each -> lose.accept(each.running(), cause));
        } catch (RuntimeException | Error failure) {
            LOG.warn("Role {}: its term did not end cleanly", role, failure);
        }
    }

    private void stopCompeting() {
        Optional<AutoCloseable> begun;
        synchronized (lock) {
            begun = contest;
            contest = Optional.empty();
        }
        try {
            if (begun.isPresent()) {
                begun.get().close();
            }
        } catch (Exception failure) {
            LOG.warn("Role {}: the election did not end the candidacy", role, failure);
        }
    }

    /** Whether a term is running. Does not wait for a term that is beginning or ending. */
    public boolean leads() {
        return leads;
    }

    /** Runs the action on the term, if there is one. No term begins or ends during the action. */
    public void withTerm(Consumer<? super T> action) {
        synchronized (lock) {
            term.map(Term::running).ifPresent(action);
        }
    }

    /**
     * Ends the term, if there is one, and then the candidacy. This takes as long as {@code last} and the election
     * take.
     *
     * @param last ends the term; it may notify others
     */
    public void close(Consumer<? super T> last) {
        Optional<T> remaining;
        synchronized (lock) {
            ended = true;
            remaining = term.map(Term::running);
            term = Optional.empty();
            leads = false;
        }
        try {
            remaining.ifPresent(last);
        } catch (RuntimeException | Error failure) {
            LOG.warn("Role {}: its term did not end cleanly", role, failure);
        }
        stopCompeting();
    }

    private final class Leadership implements Contender {

        @Override
        public void granted(long epoch) {
            synchronized (lock) {
                if (!ended && !pausing) {
                    FencingToken token = new FencingToken(epoch, ids.get());
                    term = Optional.of(new Term<>(token, begin.apply(token)));
                    leads = true;
                    timers.schedule(STEADY_MILLIS, () -> resetBackoff(token));
                }
            }
        }

        @Override
        public void revoked(String cause) {
            synchronized (lock) {
                Candidate.this.endLostTerm(cause);
            }
        }
    }

    private void resetBackoff(FencingToken token) {
        synchronized (lock) {
            if (term.filter(leading -> leading.token().equals(token)).isPresent()) {
                pauses.reset();
            }
        }
    }
}
