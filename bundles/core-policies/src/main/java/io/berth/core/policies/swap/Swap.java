package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyOperations.LedgerStamp;
import io.berth.core.api.operations.PolicyOperations.PolicyStamp;
import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.core.api.operations.PolicyOperations.SwapLedger;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerHash;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner.Commit;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;
import java.util.HexFormat;
import java.util.Optional;

/** One change of the deciding policy at one owner, while it may still be completed. Under the lock of the log. */
public final class Swap {

    private final PolicyKind kind;
    private final String owner;
    private final PolicyStamp from;
    private final long hostStartedMillis;
    /** Place among those of its kind; of the shelf. */
    long ordinal;
    /** Of the log. */
    long number;

    private SwapCause cause;
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
    private long firstHash;

    Swap(
            long number,
            SwapCause cause,
            String owner,
            PolicyStamp from,
            PolicyStamp to,
            LedgerState last,
            long hostStartedMillis) {
        this.number = number;
        this.kind = cause.kind;
        this.cause = cause;
        this.owner = owner;
        this.from = from;
        this.to = to;
        this.last = last;
        this.hostStartedMillis = hostStartedMillis;
        cause.records.add(this);
    }

    PolicyKind kind() {
        return kind;
    }

    /** Whether the record was written for this change: by the same host, at the same number. */
    boolean wrote(SwapDetails stored) {
        return stored.hostStartedMillis() == hostStartedMillis && stored.number() == number;
    }

    /** The policy that went came again before another decided in its place: both are one change. */
    boolean isCompletedBy(SwapCause coming) {
        return firstDecision == 0
                && coming.completes.filter(gone -> gone == cause).isPresent();
    }

    void completed(SwapCause coming, PolicyStamp came) {
        cause.records.remove(this);
        cause = coming;
        coming.records.add(this);
        to = came;
        opened = LedgerState.NONE;
    }

    /** It is not kept any more: its cause, which many owners may share, must not keep it either. */
    void forgotten() {
        cause.records.remove(this);
    }

    void overtaken(Swap by) {
        overtakenBy = Optional.of(by);
    }

    void opened(LedgerState state) {
        opened = state;
    }

    /** A decision from before the change was committed after it was noticed. */
    void lastDecided(LedgerState state) {
        last = state;
    }

    /** Who took over, where there is no decision to wait for. */
    void took(PolicyIdentity by) {
        to = stamp(by);
    }

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
            firstHash = done.moreHash();
            for (CommittedSlot slot : done.slots()) {
                firstHash += LedgerHash.of(slot.allocation(), slot.worker(), slot.job(), slot.profile());
            }
        });
    }

    SwapDetails details() {
        return new SwapDetails(
                number,
                cause.wallMillis,
                kind,
                owner,
                cause.text(),
                from,
                to,
                cause.inFlight,
                firstDecision,
                delayMicros < 0 ? -1 : Math.max(0, delayMicros - usualMicros),
                cause.index,
                delayMicros,
                usualMicros,
                cause.refreshedBundles(),
                ledger(),
                overtakenBy.map(next -> next.number).orElse(0L),
                hostStartedMillis);
    }

    private SwapLedger ledger() {
        if (last.isNone() && opened.isNone() && before.isNone()) {
            return SwapLedger.NONE;
        }
        return new SwapLedger(stamp(last), stamp(opened), stamp(before), stamp(after), firstSlots, verdict());
    }

    /** What the two sides of the change say about each other. */
    private String verdict() {
        if (before.isNone()) {
            return "open";
        }
        long given = before.granted() - last.granted();
        long ended = before.ended() - last.ended();
        long reported = before.reported() - last.reported();
        if (given != 0) {
            return "violated: " + given + " slots were given by none of the decisions before and after";
        }
        if (last.changes() == before.changes() && last.hash() != before.hash()) {
            return "violated: other allocations without a change that was counted";
        }
        if (after.hash() - before.hash() != firstHash || after.slots() - before.slots() != firstSlots) {
            return "violated: the first decision changed more than the " + firstSlots + " slots that it gave";
        }
        return ended == 0 && reported == 0
                ? "nothing changed"
                : "no slot given; meanwhile " + ended + " ended and " + reported + " were reported by workers";
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
