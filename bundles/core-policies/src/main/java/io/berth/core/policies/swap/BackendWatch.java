package io.berth.core.policies.swap;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes a record of each change of the backend of a name, as {@link SwapWatch} does for policies that make decisions. A
 * backend has no single decision that could be waited for, and no ledger: its record says who, from what and why. Main
 * thread of the follower.
 */
public final class BackendWatch {

    private record Running(PolicyCandidate candidate, PolicyIdentity identity) {}

    private final SwapLog log;
    private final Map<String, Running> running = new TreeMap<>();
    /** Records of backends that went, by name, until they come again. */
    private final Map<String, Swap> gone = new TreeMap<>();

    public BackendWatch(SwapLog log) {
        this.log = log;
    }

    /** A generation of a backend decides on its workers from now on. */
    public void decides(PolicyCandidate candidate, long generation) {
        String name = candidate.name();
        Running now = new Running(candidate, candidate.identity(generation));
        Optional<Swap> before = Optional.ofNullable(gone.remove(name));
        Swap swap = write(name, Optional.ofNullable(running.put(name, now)), Optional.of(now), before);
        log.took(swap, now.identity());
    }

    /** A backend went and nothing takes its place yet. Nothing of its bundle is kept. */
    public void gone(PolicyCandidate candidate) {
        String name = candidate.name();
        Optional<Running> before = Optional.ofNullable(running.remove(name));
        if (before.isPresent()) {
            gone.put(name, write(name, before, Optional.empty(), Optional.empty()));
        }
    }

    private Swap write(String name, Optional<Running> before, Optional<Running> now, Optional<Swap> undecided) {
        return log.swapped(
                PolicyKind.BACKEND,
                "backend " + name,
                before.map(Running::candidate),
                before.map(Running::identity),
                now.map(Running::candidate),
                undecided,
                Optional.empty(),
                LedgerState.NONE);
    }
}
