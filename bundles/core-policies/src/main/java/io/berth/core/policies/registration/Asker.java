package io.berth.core.policies.registration;

import io.berth.spi.JobId;
import java.util.Optional;

/**
 * The owner and job that a policy is called for.
 *
 * @param job that the call is about; empty for a call about all jobs of a pool
 */
public record Asker(DecisionOwner owner, Optional<JobId> job) {

    /** The pool whose decisions it is about; empty when there is none. */
    public Optional<String> pool() {
        return owner.pool();
    }

    /** The pool, or else the job, that failures of the call count for; empty when they count for all. */
    public Optional<String> blamed() {
        return pool().map(pool -> "pool " + pool).or(() -> job.map(id -> "job " + id));
    }

    /** An owner that asks for itself. */
    public static Asker of(DecisionOwner owner) {
        return new Asker(
                owner,
                owner.type() == DecisionOwner.Type.SCALING ? Optional.of(new JobId(owner.name())) : Optional.empty());
    }
}
