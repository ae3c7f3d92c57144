package io.berth.core.policies.swap;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Records each change of the backend of a name, as {@link SwapWatch} does for other policies. A backend makes no single
 * decision and has no ledger. Confined to the main thread of the follower.
 */
public final class BackendWatch {

    private record Running(PolicyCandidate candidate, PolicyIdentity identity) {}

    private final SwapLog log;
    private final Map<String, Running> running = new TreeMap<>();
    /** Records of removed backends by name. */
    private final Map<String, Swap> removed = new TreeMap<>();

    public BackendWatch(SwapLog log) {
        this.log = log;
    }

    /** A generation of a backend decides from now on. */
    public void decides(PolicyCandidate candidate, long generation) {
        String name = candidate.name();
        Running now = new Running(candidate, candidate.identity(generation));
        Optional<Running> before = Optional.ofNullable(running.put(name, now));
        Swap record = record(name, before, Optional.of(now), Optional.ofNullable(removed.remove(name)));
        log.update(record, swap -> swap.decided(now.identity(), 0));
    }

    /** A backend was removed, and none has replaced it yet. */
    public void removed(PolicyCandidate candidate) {
        String name = candidate.name();
        Optional.ofNullable(running.remove(name))
                .ifPresent(before ->
                        removed.put(name, record(name, Optional.of(before), Optional.empty(), Optional.empty())));
    }

    private Swap record(String name, Optional<Running> before, Optional<Running> now, Optional<Swap> previous) {
        return log.swapped(
                PolicyKind.BACKEND,
                "backend " + name,
                before.map(Running::candidate),
                before.map(Running::identity),
                now.map(Running::candidate),
                previous,
                true,
                LedgerState.NONE,
                0);
    }
}
