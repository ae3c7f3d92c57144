package io.berth.core.policies.swap;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Watches who decides at one owner and writes a record of each change, with what the change cost this owner. Main
 * thread of the owner.
 */
public final class SwapWatch {

    private static final int WEIGHT = 8;

    private record Waiting(Swap swap, long id, long revision) {}

    private record Decided(long decision, boolean fresh, Optional<Swap> swap) {}

    private final PolicyKind kind;
    private final String owner;
    private final SwapLog log;
    private final Supplier<LedgerState> ledger;
    private Optional<PolicyCandidate> noticed;
    private Optional<PolicyIdentity> lastDecider = Optional.empty();
    private Optional<Waiting> waiting = Optional.empty();
    private Optional<Swap> undecided = Optional.empty();
    private Optional<Decided> uncommitted = Optional.empty();
    private LedgerState lastDecision;
    private long usualMicros;

    /** @param ledger of the owner, asked when a new generation is opened */
    public SwapWatch(
            PolicyKind kind, String owner, SwapLog log, Supplier<LedgerState> ledger, Optional<PolicyCandidate> first) {
        this.kind = kind;
        this.owner = owner;
        this.log = log;
        this.ledger = ledger;
        this.noticed = first;
        this.lastDecision = ledger.get();
    }

    /** Compares with who was to decide before. */
    public void look(List<PolicyCandidate> candidates) {
        Optional<PolicyCandidate> now = candidates.stream().findFirst();
        if (noticed.isEmpty() && now.isEmpty()
                || noticed.isPresent() && now.isPresent() && noticed.get().same(now.get())) {
            return;
        }
        Optional<PolicyIdentity> from = noticed.map(before -> lastDecider
                .filter(last -> before.identity(last.generation()).equals(last))
                .orElse(before.identity(0)));
        Swap swap = log.swapped(
                kind,
                owner,
                noticed,
                from,
                now,
                undecided,
                waiting.map(Waiting::swap).or(() -> undecided),
                lastDecision);
        undecided = Optional.of(swap);
        waiting = now.map(candidate -> new Waiting(swap, candidate.id(), candidate.revision()));
        noticed = now;
    }

    /** A generation was opened. */
    public void opened(PolicyCandidate candidate) {
        waitingFor(candidate).ifPresent(swap -> log.opened(swap, ledger.get()));
    }

    /** A generation decided. */
    public void decided(PolicyCandidate candidate, PolicyIdentity generation, boolean fresh, long decision) {
        lastDecider = Optional.of(generation);
        Optional<Swap> swap = waitingFor(candidate);
        uncommitted = Optional.of(new Decided(decision, fresh, swap));
        // Whoever it was: from now on the change cannot be taken for one with the next.
        undecided = Optional.empty();
        swap.ifPresent(record -> {
            log.decided(record, generation, decision);
            waiting = Optional.empty();
        });
    }

    /**
     * The owner committed a decision.
     *
     * @param commit empty where the owner keeps no ledger
     * @param delayMicros from when it was due
     */
    public void committed(long decision, Optional<Commit> commit, long delayMicros) {
        Optional<Decided> committed = uncommitted.filter(last -> last.decision() == decision);
        if (committed.isEmpty()) {
            return;
        }
        uncommitted = Optional.empty();
        Optional<Swap> swap = committed.get().swap();
        if (swap.isPresent()) {
            log.committed(swap.get(), commit, delayMicros, usualMicros);
        } else if (!committed.get().fresh()) {
            usualMicros = usualMicros == 0 ? delayMicros : usualMicros + (delayMicros - usualMicros) / WEIGHT;
        }
        commit.ifPresent(done -> {
            lastDecision = done.after();
            waiting.ifPresent(next -> log.lastDecided(next.swap(), done.after()));
        });
    }

    private Optional<Swap> waitingFor(PolicyCandidate candidate) {
        return waiting.filter(swap -> swap.id() == candidate.id() && swap.revision() == candidate.revision())
                .map(Waiting::swap);
    }
}
