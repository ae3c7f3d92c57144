package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyOperations.LedgerStamp;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapCause;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.core.api.operations.SwapVerdict;
import io.berth.core.api.operations.SwapVerdict.Rule;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/** A record of this host, which its owner completes step by step. Guarded by the lock of the log. */
public final class Swap implements Supplier<SwapDetails> {

    private final String owner;
    private final PolicyStamp from;
    private final long hostStartedMillis;
    /** Position among the records of the kind. */
    long ordinal;
    /** Position among all records. */
    long number;

    SwapTrigger trigger;
    private PolicyStamp to;
    private Optional<Swap> overtakenBy = Optional.empty();
    private long firstDecision;
    private long delayMicros = -1;
    private long usualMicros;
    private LedgerState last;
    private LedgerState opened = LedgerState.NONE;
    private LedgerState before = LedgerState.NONE;
    private LedgerState after = LedgerState.NONE;
    private int firstSlots;
    private SwapVerdict verdict = SwapVerdict.Plain.OPEN;

    Swap(
            long number,
            SwapTrigger trigger,
            String owner,
            PolicyStamp from,
            PolicyStamp to,
            LedgerState last,
            long hostStartedMillis) {
        this.number = number;
        this.trigger = trigger;
        this.owner = owner;
        this.from = from;
        this.to = to;
        this.last = last;
        this.hostStartedMillis = hostStartedMillis;
    }

    PolicyKind kind() {
        return trigger.kind;
    }

    /** Whether the stored record is an earlier state of this one. */
    boolean isStoredAs(SwapDetails stored) {
        return stored.hostStartedMillis() == hostStartedMillis && stored.number() == number;
    }

    /** Whether the event registers the removed policy again before another one decided: both are one swap. */
    boolean isCompletedBy(SwapTrigger again) {
        return firstDecision == 0
                && again.removal.filter(removed -> removed == trigger).isPresent();
    }

    void completed(SwapTrigger again, PolicyStamp registered) {
        trigger = again;
        to = registered;
        opened = LedgerState.NONE;
    }

    void overtaken(Swap by) {
        overtakenBy = Optional.of(by);
    }

    void opened(LedgerState state) {
        opened = state;
    }

    /** A decision from before the swap was committed after the swap was noticed. */
    void lastDecided(LedgerState state) {
        last = state;
    }

    /** @param decision 0 for a backend, which makes no decisions */
    void decided(PolicyIdentity by, long decision) {
        to = stamp(by);
        firstDecision = decision;
    }

    void committed(Optional<Commit> commit, long delay, long usual) {
        delayMicros = delay;
        usualMicros = usual;
        commit.ifPresent(done -> {
            before = done.before();
            after = done.after();
            firstSlots = Math.toIntExact(done.slots().size() + done.more());
            long hash = done.moreHash();
            for (CommittedSlot slot : done.slots()) {
                hash += LedgerHash.of(slot.allocation(), slot.worker(), slot.job(), slot.profile());
            }
            verdict = verdict(hash);
        });
    }

    /** @param hash sum over the slots of the first decision */
    private SwapVerdict verdict(long hash) {
        long given = before.granted() - last.granted();
        if (given != 0) {
            return new SwapVerdict.Violated(Rule.GIVEN_BY_NO_DECISION, given);
        }
        if (last.changes() == before.changes() && last.hash() != before.hash()) {
            return new SwapVerdict.Violated(Rule.CHANGE_NOT_COUNTED, 0);
        }
        if (after.hash() - before.hash() != hash || after.slots() - before.slots() != firstSlots) {
            return new SwapVerdict.Violated(Rule.MORE_THAN_GIVEN, firstSlots);
        }
        long ended = before.ended() - last.ended();
        long reported = before.reported() - last.reported();
        return ended == 0 && reported == 0
                ? SwapVerdict.Plain.NOTHING_CHANGED
                : new SwapVerdict.NoSlotGiven(ended, reported);
    }

    /** The record as it is now. */
    @Override
    public SwapDetails get() {
        return new SwapDetails(
                number,
                trigger.wallMillis,
                trigger.kind,
                owner,
                new SwapCause(trigger.event, trigger.by),
                from,
                to,
                trigger.inFlight,
                firstDecision,
                delayMicros < 0 ? -1 : Math.max(0, delayMicros - usualMicros),
                trigger.index,
                delayMicros,
                usualMicros,
                trigger.refreshedBundles(),
                last.isNone() && opened.isNone() && before.isNone()
                        ? SwapLedger.NONE
                        : new SwapLedger(stamp(last), stamp(opened), stamp(before), stamp(after), firstSlots, verdict),
                overtakenBy.map(next -> next.number).orElse(0L),
                hostStartedMillis);
    }

    public static PolicyStamp stamp(PolicyIdentity identity) {
        return new PolicyStamp(
                identity.kind(),
                identity.name(),
                identity.bundle(),
                identity.version(),
                identity.generation(),
                identity.configurationRevision());
    }

    public static LedgerStamp stamp(LedgerState state) {
        return state.isNone()
                ? LedgerStamp.NONE
                : new LedgerStamp(
                        HexFormat.of().toHexDigits(state.hash()),
                        state.slots(),
                        state.changes(),
                        state.granted(),
                        state.ended(),
                        state.reported());
    }
}
