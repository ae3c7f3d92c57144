package io.berth.core.api.role;

import io.berth.core.api.FencingToken;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.LeaderElection.Contender;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A role of this process: runs a term of it while it leads, and nothing while it stands by. At most one term exists at a
 * time, and each has a greater epoch than the one before. Any thread.
 *
 * @param <T> what runs in a term
 */
public final class Candidate<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);

    private final EndpointName role;
    private final Supplier<UUID> ids;
    private final Function<FencingToken, T> begin;
    private final BiConsumer<T, String> lose;
    private final Object lock = new Object();
    private Optional<T> term = Optional.empty();
    private volatile boolean leads;
    private Optional<AutoCloseable> contest = Optional.empty();
    private boolean ended;

    /**
     * @param ids for the fencing tokens of terms, beside the epoch
     * @param begin begins a term, on a thread of the election; may take its time. When it throws, nothing of the term is
     *     left, and another process may lead
     * @param lose ends a term whose leadership was lost, for the given cause: it tells nobody
     */
    public Candidate(
            EndpointName role, Supplier<UUID> ids, Function<FencingToken, T> begin, BiConsumer<T, String> lose) {
        this.role = role;
        this.ids = ids;
        this.begin = begin;
        this.lose = lose;
    }

    /**
     * Begins to compete; once. Returns before anything is known.
     *
     * @param address where the role is served while this process leads
     */
    public void compete(LeaderElection election, RpcAddress address) {
        LOG.info("Role {}: this process is a candidate for it, at {}", role, address);
        AutoCloseable begun = election.compete(role.value(), address.toString(), new Leadership());
        synchronized (lock) {
            contest = Optional.of(begun);
        }
    }

    /** Whether there is a term now. Does not wait for one that begins or ends. */
    public boolean leads() {
        return leads;
    }

    /** Runs the action on the term, if there is one; none begins or ends meanwhile. */
    public void withTerm(Consumer<? super T> action) {
        synchronized (lock) {
            term.ifPresent(action);
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
            left = term;
            term = Optional.empty();
            leads = false;
        }
        try {
            left.ifPresent(last);
        } catch (RuntimeException failure) {
            LOG.warn("Role {}: its term did not end well", role, failure);
        }
        Optional<AutoCloseable> begun;
        synchronized (lock) {
            begun = contest;
        }
        try {
            if (begun.isPresent()) {
                begun.get().close();
            }
        } catch (Exception failure) {
            LOG.warn("Role {}: the election did not let go of it", role, failure);
        }
    }

    private final class Leadership implements Contender {

        @Override
        public void granted(long epoch) {
            synchronized (lock) {
                if (!ended) {
                    term = Optional.of(begin.apply(new FencingToken(epoch, ids.get())));
                    leads = true;
                }
            }
        }

        @Override
        public void revoked(String cause) {
            synchronized (lock) {
                Optional<T> lost = term;
                term = Optional.empty();
                leads = false;
                lost.ifPresent(each -> lose.accept(each, cause));
            }
        }
    }
}
