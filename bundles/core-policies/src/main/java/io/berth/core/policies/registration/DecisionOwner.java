package io.berth.core.policies.registration;

import io.berth.spi.JobId;
import java.util.Optional;

/**
 * Who requests decisions: the planner or the assigner of a pool, the scheduler of a job, or the followers of backends.
 *
 * @param name of the pool, or id of the job
 */
public record DecisionOwner(Type type, String name) {

    /** The followers of backends. */
    public static final DecisionOwner WORKERS = new DecisionOwner(Type.WORKERS, "workers");

    /** What is requested. */
    public enum Type {
        PLANS("pool "),
        ASSIGNMENTS("assignments of pool "),
        SCALING("job "),
        WORKERS("");

        private final String words;

        Type(String words) {
            this.words = words;
        }
    }

    public static DecisionOwner plans(String pool) {
        return new DecisionOwner(Type.PLANS, pool);
    }

    public static DecisionOwner assignments(String pool) {
        return new DecisionOwner(Type.ASSIGNMENTS, pool);
    }

    public static DecisionOwner scaling(JobId job) {
        return new DecisionOwner(Type.SCALING, job.value());
    }

    /** The pool; empty when there is none. */
    public Optional<String> pool() {
        return type == Type.PLANS || type == Type.ASSIGNMENTS ? Optional.of(name) : Optional.empty();
    }

    /** As users and policies see it. */
    @Override
    public String toString() {
        return type.words + name;
    }
}
