package io.berth.core.api.operations;

import io.berth.core.api.policy.PoolDefinition;
import io.berth.spi.PolicyKind;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Shadows: policies that are given the inputs of decisions, on threads of their own, and never decide. What a shadow would
 * have decided is compared with what was decided. A matching strategy or a distribution policy shadows the decisions of one
 * pool, a scaling policy those of all jobs of the process. A pool has at most one shadow of each kind, the jobs have one.
 * Shadows end with the process. The methods answer at once.
 */
public interface ShadowOperations {

    /**
     * Lets an installed policy shadow decisions, from the next one on. Replaces the shadow of the same kind, whose figures
     * are lost.
     *
     * @param kind matching, distribution or scaling
     * @param name of the policy
     * @param pool empty: the default pool, or all jobs for a scaling policy, with which no pool is allowed
     * @param by name of the caller, for people
     * @throws IllegalArgumentException when the kind has no shadows, the pool or the policy does not exist, or the
     *     policy cannot be used now; the message names what is allowed. Also when another process decides
     */
    ShadowDetails shadow(PolicyKind kind, String name, String pool, String by);

    /**
     * Ends a shadow.
     *
     * @param pool as above
     * @return its last figures
     * @throws IllegalArgumentException when there is none
     */
    ShadowDetails endShadow(PolicyKind kind, String pool, String by);

    /** The pool that is meant when one may be left out; empty for scaling, which is for all jobs. */
    static String poolOf(PolicyKind kind, String pool) {
        return pool.isEmpty() && kind != PolicyKind.SCALING ? PoolDefinition.DEFAULT_NAME : pool;
    }

    /** That there is no shadow, as the start of a line for people. */
    static String none(PolicyKind kind, String pool) {
        String meant = poolOf(kind, pool);
        return "no " + kind.label() + " policy shadows " + (meant.isEmpty() ? "jobs" : "pool '" + meant + "'");
    }

    /** All shadows, by pool and kind. */
    List<ShadowDetails> shadows();

    /** What shadows would have decided in place of a decision that is still kept. */
    List<ShadowedDecision> shadowed(long decision);

    /**
     * A shadow.
     *
     * @param pool empty for a scaling policy
     * @param version of its bundle; empty while it is not there
     * @param state {@code follows}, {@code waits}, {@code is behind}, {@code is absent} or {@code stopped}
     * @param text the cause of the state and the next step, for people; may be empty
     * @param by who began it, at {@code wallMillis}
     * @param compared number of decisions that were compared: those that agreed and those that differed
     * @param failed decisions in which the shadow failed or broke a rule
     * @param skipped inputs that it was not given, because it was too slow or not there
     * @param lastDifferent number of the last decision that differed; 0 when there is none
     * @param decided sums of what was decided in the compared decisions
     * @param shadowed sums of what the shadow would have decided in them
     */
    record ShadowDetails(
            String pool,
            PolicyKind kind,
            String name,
            String bundle,
            String version,
            String state,
            String text,
            String by,
            long wallMillis,
            long compared,
            long agreed,
            long differed,
            long failed,
            long skipped,
            long lastDifferent,
            ShadowFigures decided,
            ShadowFigures shadowed) {

        /** The shadow in one line, for lists. */
        public String line() {
            return "shadow: " + kind.label() + " " + name + " of " + scope() + " " + state
                    + (text.isEmpty() ? "" : " (" + text + ")") + ": agrees in " + agreed + " of " + compared
                    + " decisions, " + failed + " failed, " + skipped + " skipped; " + sums() + ", "
                    + mean(shadowed.micros())
                    + " (" + mean(decided.micros()) + ") us a decision"
                    + (lastDifferent == 0 ? "" : "; the last one that differs is " + lastDifferent);
        }

        private String sums() {
            return kind == PolicyKind.SCALING
                    ? "desired " + shadowed.desired() + " (" + decided.desired() + ") subtasks, rescaled "
                            + shadowed.rescales() + " (" + decided.rescales() + ") times"
                    : "placed " + shadowed.placed() + " (" + decided.placed() + "), opened " + shadowed.opened() + " ("
                            + decided.opened() + ") for " + cost(shadowed.costPerHour()) + " ("
                            + cost(decided.costPerHour()) + ") an hour, left " + shadowed.left() + " (" + decided.left()
                            + ") units without slots";
        }

        private static String cost(double costPerHour) {
            return String.format(Locale.ROOT, "%.2f", costPerHour);
        }

        /** What it shadows, for people. */
        public String scope() {
            return pool.isEmpty() ? "all jobs" : "pool " + pool;
        }

        private long mean(long micros) {
            return compared == 0 ? 0 : micros / compared;
        }

        @Override
        public String toString() {
            return kind.label() + " " + name + " as shadow of " + scope() + ", by " + by + " at "
                    + Instant.ofEpochMilli(wallMillis);
        }
    }

    /**
     * What decisions come to. The figures of plans are 0 for scaling, and the other way round.
     *
     * @param placed slots
     * @param left units that lack slots, counted in each decision
     * @param opened new workers
     * @param costPerHour of the new workers, in the unit of the backend
     * @param returned slots that jobs are asked for
     * @param desired subtasks that jobs should have, counted in each decision
     * @param rescales feasible changes that the policy wants now
     * @param micros time that the decisions took
     */
    record ShadowFigures(
            long placed,
            long left,
            long opened,
            double costPerHour,
            long returned,
            long desired,
            long rescales,
            long micros) {

        public static final ShadowFigures NONE = ofTime(0);

        /** Only the time is known. */
        public static ShadowFigures ofTime(long micros) {
            return new ShadowFigures(0, 0, 0, 0, 0, 0, 0, micros);
        }

        public static ShadowFigures ofPlan(
                long placed, long left, long opened, double costPerHour, long returned, long micros) {
            return new ShadowFigures(placed, left, opened, costPerHour, returned, 0, 0, micros);
        }

        public static ShadowFigures ofScaling(long desired, long rescales, long micros) {
            return new ShadowFigures(0, 0, 0, 0, 0, desired, rescales, micros);
        }

        public ShadowFigures plus(ShadowFigures other) {
            return new ShadowFigures(
                    placed + other.placed,
                    left + other.left,
                    opened + other.opened,
                    costPerHour + other.costPerHour,
                    returned + other.returned,
                    desired + other.desired,
                    rescales + other.rescales,
                    micros + other.micros);
        }
    }

    /**
     * What a shadow would have decided in place of one decision.
     *
     * @param verdict {@code agrees}, {@code differs} or {@code failed}
     * @param differences or failures, as lines for people
     */
    record ShadowedDecision(
            String pool,
            PolicyKind kind,
            String name,
            String verdict,
            ShadowFigures decided,
            ShadowFigures shadowed,
            List<String> differences) {

        public ShadowedDecision {
            differences = List.copyOf(differences);
        }

        /** The comparison in one line. */
        public String line() {
            return kind.label() + " " + name + " " + verdict + (verdict.equals("failed") ? "" : ": " + figures());
        }

        private String figures() {
            String time = ", " + shadowed.micros() + " us (" + decided.micros() + ")";
            return kind == PolicyKind.SCALING
                    ? "desires " + shadowed.desired() + " subtasks (" + decided.desired() + " were), "
                            + (shadowed.rescales() == 0 ? "does not rescale" : "rescales") + " ("
                            + (decided.rescales() == 0 ? "was not done" : "was done") + ")" + time
                    : "places " + shadowed.placed() + " slots (" + decided.placed() + " were), opens "
                            + shadowed.opened() + " workers (" + decided.opened() + "), leaves " + shadowed.left()
                            + " units without slots (" + decided.left() + ")" + time;
        }
    }
}
