package io.berth.core.policies;

import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Watches who decides at one owner and writes a record of each change, with what the change cost this owner. Main
 * thread of the owner.
 */
final class SwapWatch {

    private static final int WEIGHT = 8;

    private record Waiting(long number, long id, long revision) {}

    private final PolicyKind kind;
    private final String owner;
    private final SwapLog log;
    private final Clock clock;
    private Optional<Candidate> noticed;
    private Optional<PolicyIdentity> lastDecider = Optional.empty();
    private Optional<Waiting> waiting = Optional.empty();
    private OptionalLong vacantSince = OptionalLong.empty();
    private long usualMicros;

    SwapWatch(PolicyKind kind, String owner, SwapLog log, Clock clock, Optional<Candidate> first) {
        this.kind = kind;
        this.owner = owner;
        this.log = log;
        this.clock = clock;
        this.noticed = first;
    }

    /** Compares with who was to decide before. */
    void look(List<Candidate> candidates) {
        Optional<Candidate> now = candidates.stream().findFirst();
        if (noticed.isEmpty() && now.isEmpty()
                || noticed.isPresent() && now.isPresent() && noticed.get().same(now.get())) {
            return;
        }
        Optional<PolicyIdentity> from = noticed.map(before -> lastDecider
                .filter(last -> before.identity(last.generation()).equals(last))
                .orElse(before.identity(0)));
        long number = log.swapped(kind, owner, noticed, from, now);
        waiting = now.map(candidate -> new Waiting(number, candidate.id(), candidate.revision()));
        noticed = now;
    }

    /** Nobody is there to decide. */
    void vacant() {
        if (vacantSince.isEmpty()) {
            vacantSince = OptionalLong.of(clock.nanos());
        }
    }

    void decided(Lease<?> lease, long startedNanos, long decision) {
        long micros = (clock.nanos() - vacantSince.orElse(startedNanos)) / 1_000;
        vacantSince = OptionalLong.empty();
        lastDecider = Optional.of(lease.identity());
        Candidate decider = lease.candidate();
        if (waiting.filter(swap -> swap.id() == decider.id() && swap.revision() == decider.revision())
                .isPresent()) {
            log.decided(waiting.get().number(), lease.identity(), decision, Math.max(0, micros - usualMicros));
            waiting = Optional.empty();
        } else if (!lease.fresh()) {
            usualMicros = usualMicros == 0 ? micros : usualMicros + (micros - usualMicros) / WEIGHT;
        }
    }
}
