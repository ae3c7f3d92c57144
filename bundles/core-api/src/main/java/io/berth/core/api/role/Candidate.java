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
 * A role of this process: runs a term of it while it leads, and nothing while it stands by. At most one term exists at a
 * time, and each has a greater epoch than the one before. A term that fails ends, the role is given up, and the process
 * competes for it again after a pause, which grows while terms fail soon. Any thread.
 *
 * @param <T> what runs in a term
 */
public final class Candidate<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);

    private static final long MIN_PAUSE_MILLIS = 1_000;
    private static final long MAX_PAUSE_MILLIS = 60_000;
    /** A term that lasted so long did well: a failure after it is the first one again. */
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
    private Runnable enter = () -> {};
    /** Under the lock. */
    private final Backoff pauses = new Backoff(MIN_PAUSE_MILLIS, MAX_PAUSE_MILLIS);

    private volatile boolean leads;
    private Optional<AutoCloseable> contest = Optional.empty();
    /** Between a term that failed and the next time it competes. */
    private boolean pausing;

    private boolean ended;

    /**
     * @param ids for the fencing tokens of terms, beside the epoch
     * @param begin begins a term, on a thread of the election; may take its time. When it throws, nothing of the term is
     *     left, and another process may lead
     * @param lose ends a term whose leadership was lost, for the given cause: it tells nobody
     * @param background ends a term that failed, which may take its time
     * @param timers for the pause after a term that failed
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
     * Begins to compete; once. Returns before anything is known.
     *
     * @param address where the role is served while this process leads
     */
    public void compete(LeaderElection election, RpcAddress address) {
        LOG.info("Role {}: this process is a candidate for it, at {}", role, address);
        enter = () -> enter(election, address);
        enter.run();
    }

    private void enter(LeaderElection election, RpcAddress address) {
        AutoCloseable begun = election.compete(role.value(), address.toString(), new Leadership());
        boolean late;
        synchronized (lock) {
            late = ended;
            contest = Optional.of(begun);
        }
        if (late) {
            stopCompeting();
        }
    }

    /**
     * The term failed: what it holds may be half changed. It ends on the background executor, and the next one starts
     * fresh. Returns at once; without effect when that term has ended already.
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
                lose("its term failed: " + cause);
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
            enter.run();
        } catch (RuntimeException failure) {
            long pause;
            synchronized (lock) {
                pause = pauses.next();
            }
            LOG.error("Role {}: this process cannot compete for it; it tries again in {} ms", role, pause, failure);
            timers.schedule(pause, this::competeAgain);
        }
    }

    private void lose(String cause) {
        Optional<Term<T>> lost = term;
        term = Optional.empty();
        leads = false;
        try {
            lost.ifPresent(each -> lose.accept(each.running(), cause));
        } catch (RuntimeException | Error failure) {
            LOG.warn("Role {}: its term did not end well", role, failure);
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
            LOG.warn("Role {}: the election did not let go of it", role, failure);
        }
    }

    /** Whether there is a term now. Does not wait for one that begins or ends. */
    public boolean leads() {
        return leads;
    }

    /** Runs the action on the term, if there is one; none begins or ends meanwhile. */
    public void withTerm(Consumer<? super T> action) {
        synchronized (lock) {
            term.map(Term::running).ifPresent(action);
        }
    }

    /**
     * Ends the term, if there is one, and then the contest. Bounded by {@code last} and the election.
     *
     * @param last ends the term; may tell others
     */
    public void close(Consumer<? super T> last) {
        Optional<T> left;
        synchronized (lock) {
            ended = true;
            left = term.map(Term::running);
            term = Optional.empty();
            leads = false;
        }
        try {
            left.ifPresent(last);
        } catch (RuntimeException | Error failure) {
            LOG.warn("Role {}: its term did not end well", role, failure);
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
                Candidate.this.lose(cause);
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
