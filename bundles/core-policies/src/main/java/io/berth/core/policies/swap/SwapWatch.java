package io.berth.core.policies.swap;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Selection;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Records each change of the deciding policy of one owner, with its cost for this owner. Confined to the main thread of
 * the owner.
 */
public final class SwapWatch {

    private static final int WEIGHT = 8;

    private record Decided(long decision, boolean fresh, Optional<Swap> swap) {}

    private final PolicyKind kind;
    private final String owner;
    private final SwapLog log;
    private final Supplier<LedgerState> ledger;
    private Optional<PolicyCandidate> preferred;
    private Optional<PolicyIdentity> lastDecider = Optional.empty();
    /** The last record, until the preferred policy has decided. */
    private Optional<Swap> open = Optional.empty();
    /** Index of the last choice that the owner has followed. */
    private long seen;
    /** Whether no policy has decided since the last record. */
    private boolean undecided;

    private Optional<Decided> uncommitted = Optional.empty();
    private LedgerState lastDecision;
    private long usualMicros;

    /**
     * @param ledger of the owner, read when a new generation is opened
     * @param first what the owner follows first
     */
    public SwapWatch(PolicyKind kind, String owner, SwapLog log, Supplier<LedgerState> ledger, Selection first) {
        this.kind = kind;
        this.owner = owner;
        this.log = log;
        this.ledger = ledger;
        this.preferred = first.preferred();
        this.seen = first.index();
        this.lastDecision = ledger.get();
    }

    /** @param selection what the owner follows now */
    public void update(Selection selection) {
        Optional<PolicyCandidate> now = selection.preferred();
        if (seen == selection.index() && now.isPresent() && isPreferred(now.get())) {
            // As in nearly all decisions: no choice was made, and the same policy is preferred.
            preferred = now;
            return;
        }
        SwapLog.Position before = new SwapLog.Position(policy(), open);
        SwapLog.Position skipped = log.skipped(kind, owner, before, seen, selection.index(), lastDecision);
        seen = selection.index();
        boolean hasSkipped = skipped != before;
        boolean same = hasSkipped
                ? skipped.decides(now.map(candidate -> candidate.identity(0)))
                : now.isEmpty() ? preferred.isEmpty() : isPreferred(now.get());
        open = skipped.open();
        undecided |= hasSkipped;
        if (!same) {
            open = Optional.of(log.swapped(
                    kind,
                    owner,
                    hasSkipped ? Optional.empty() : preferred,
                    skipped.policy(),
                    now,
                    open,
                    undecided,
                    lastDecision,
                    seen));
            undecided = true;
        }
        preferred = now;
    }

    /** With the generation that decided last, if it is of this policy. */
    private Optional<PolicyIdentity> policy() {
        return preferred.map(before -> lastDecider
                .filter(decider -> before.identity(decider.generation()).equals(decider))
                .orElse(before.identity(0)));
    }

    private boolean isPreferred(PolicyCandidate candidate) {
        return preferred.filter(candidate::same).isPresent();
    }

    /** A generation was opened. */
    public void opened(PolicyCandidate candidate) {
        LedgerState state = ledger.get();
        open.filter(swap -> isPreferred(candidate)).ifPresent(record -> log.update(record, swap -> swap.opened(state)));
    }

    /** A generation decided. */
    public void decided(PolicyCandidate candidate, PolicyIdentity generation, boolean fresh, long decision) {
        lastDecider = Optional.of(generation);
        Optional<Swap> decided = open.filter(swap -> isPreferred(candidate));
        uncommitted = Optional.of(new Decided(decision, fresh, decided));
        undecided = false;
        decided.ifPresent(record -> {
            log.update(record, swap -> swap.decided(generation, decision));
            open = Optional.empty();
        });
    }

    /**
     * The owner committed a decision.
     *
     * @param commit empty for an owner without a ledger
     * @param delayMicros from when it was due
     */
    public void committed(long decision, Optional<Commit> commit, long delayMicros) {
        Optional<Decided> committed = uncommitted.filter(last -> last.decision() == decision);
        if (committed.isEmpty()) {
            return;
        }
        uncommitted = Optional.empty();
        Optional<Swap> decided = committed.get().swap();
        if (decided.isPresent()) {
            log.update(decided.get(), swap -> swap.committed(commit, delayMicros, usualMicros));
        } else if (!committed.get().fresh()) {
            usualMicros = usualMicros == 0 ? delayMicros : usualMicros + (delayMicros - usualMicros) / WEIGHT;
        }
        commit.ifPresent(done -> {
            lastDecision = done.after();
            open.ifPresent(record -> log.update(record, swap -> swap.lastDecided(done.after())));
        });
    }
}
