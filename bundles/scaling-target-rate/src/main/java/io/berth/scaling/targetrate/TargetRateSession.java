package io.berth.scaling.targetrate;

import io.berth.policy.support.scaling.DesiredParallelism;
import io.berth.policy.support.scaling.ForwardVertices;
import io.berth.policy.support.scaling.PatientJudgement;
import io.berth.policy.support.scaling.ReasonText;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Desires what the figures of the present execution need when a vertex has too few tasks. An increase takes no task away.
 * A decrease adds none, saves at least one slot, and comes when what it leaves would have been enough for some time, the
 * longer the less it saves. A vertex that did not become faster with more tasks gets no more for some time, and neither
 * do those that would only wait for it.
 *
 * <p>It keeps nothing but the graph. What it learned from earlier increases, it reads from the history of the view.
 */
final class TargetRateSession implements ScalingSession {

    /** The times that {@link JobView#peakWork} knows: each is twice as long as the one before. */
    private static final long SHORTEST_MILLIS = 300_000;

    private static final long LONGEST_MILLIS = SHORTEST_MILLIS << 8;

    private static final double HAIR = 1e-9;

    private final JobView job;
    private final TargetRateSettings settings;
    private final ForwardVertices forward;
    private final RateModel rates;
    private final PatientJudgement patience;
    private final boolean[] keyed;
    private final boolean[] source;
    private final DesiredParallelism desires;
    /** What the decision desires. */
    private final int[] desired;

    private final boolean[] stuck;

    TargetRateSession(JobView job, TargetRateSettings settings) {
        this.job = job;
        this.settings = settings;
        forward = new ForwardVertices(job);
        rates = new RateModel(job, forward, settings.catchUpMillis());
        patience = new PatientJudgement(job, settings.waitMillis());
        int vertices = job.vertices();
        keyed = new boolean[vertices];
        source = new boolean[vertices];
        for (int vertex = 0; vertex < vertices; vertex++) {
            keyed[vertex] = job.keyed(vertex);
            source[vertex] = job.source(vertex);
        }
        desires = new DesiredParallelism(job, forward);
        desired = desires.byVertex();
        stuck = new boolean[vertices];
    }

    @Override
    public void delta() {
        // All figures may differ in each decision, so there is no part that stays.
    }

    @Override
    public void desire(ParallelismBuilder result) {
        desires.keepLast();
        if (desires.isRunning()) {
            long age = job.now() - job.runningSince().orElse(job.now());
            if (age < settings.settleMillis()) {
                long left = settings.settleMillis() - age;
                result.reviewAfter(left);
                result.reason("the tasks have just started: their figures count in " + ReasonText.duration(left));
            } else {
                result.reviewAfter(settings.intervalMillis());
                result.reason(job.measuredMillis().isEmpty() ? "nothing is measured" : follow(age));
            }
        } else {
            // Counted from the start, of which nobody tells.
            result.reviewAfter(Math.max(settings.settleMillis(), settings.intervalMillis()));
        }
        desires.tell(result);
    }

    /** Desires what the figures need, and says why. */
    private String follow(long age) {
        desires.keepCurrent();
        String unhelped = findStuck();
        int tight = tightest();
        if (tight >= 0) {
            increase();
            return need(tight);
        }
        String fewer = decrease(age);
        if (!fewer.isEmpty()) {
            return fewer;
        }
        desires.keepCurrent();
        return unhelped.isEmpty() ? steady() : unhelped;
    }

    /** Desires fewer tasks, if they would have been enough for long, and says why; otherwise the empty text. */
    private String decrease(long age) {
        for (long millis = SHORTEST_MILLIS; millis <= Math.min(age, LONGEST_MILLIS); millis *= 2) {
            desires.keepCurrent();
            int running = desires.slots();
            for (int vertex = 0; vertex < desired.length; vertex++) {
                desired[vertex] = decreased(vertex, millis);
            }
            forward.level(desired);
            int left = desires.slots();
            int saved = running - left;
            if (saved <= 0) {
                // In a longer time there was not less work.
                return "";
            }
            if (Math.min(LONGEST_MILLIS, (double) settings.pauseDownMillis() * left / saved) <= millis) {
                return fits(millis);
            }
        }
        return "";
    }

    /** Computes the rates; returns what is known of a vertex that does not become faster, or the empty text. */
    private String findStuck() {
        Arrays.fill(stuck, false);
        rates.compute(stuck);
        String found = "";
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (isAbove(vertex)) {
                String unhelped = unhelped(vertex);
                stuck[vertex] = !unhelped.isEmpty();
                found = unhelped.isEmpty() ? found : unhelped;
            }
        }
        if (!found.isEmpty()) {
            rates.compute(stuck);
        }
        return found;
    }

    private double utilization(int vertex) {
        return rates.utilization(vertex, job.current(vertex));
    }

    private boolean isAbove(int vertex) {
        return rates.known(vertex) && utilization(vertex) >= settings.high() - HAIR;
    }

    /** Of the vertices that have too few tasks and may have more, the one with the most work; -1 when there is none. */
    private int tightest() {
        int found = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (isAbove(vertex)
                    && increased(vertex) > job.current(vertex)
                    && (found < 0 || utilization(vertex) > utilization(found))) {
                found = vertex;
            }
        }
        return found;
    }

    private int increased(int vertex) {
        int current = job.current(vertex);
        if (stuck[vertex] || !rates.known(vertex)) {
            return current;
        }
        double needed = rates.needed(vertex, settings.utilization());
        if (Double.isInfinite(needed)) {
            return current;
        }
        double most = Math.ceil(current * settings.maxStepUp());
        return Math.max(current, forward.within(vertex, tasks(vertex, Math.min(needed, most))));
    }

    /** Tasks that are enough at the target rate, and would have been for so long. */
    private int decreased(int vertex, long millis) {
        OptionalDouble work = rates.known(vertex) ? job.peakWork(vertex, millis) : OptionalDouble.empty();
        if (work.isEmpty()) {
            return desired[vertex];
        }
        double needed = Math.max(
                rates.needed(vertex, work.getAsDouble(), settings.peak()),
                rates.needed(vertex, settings.utilization()));
        return Double.isInfinite(needed)
                ? desired[vertex]
                : Math.min(desired[vertex], forward.within(vertex, tasks(vertex, needed)));
    }

    /** Rounded up, or the next number that divides the key groups, if it is not much larger. */
    private long tasks(int vertex, double needed) {
        long tasks = Math.max(1, rounded(needed));
        if (keyed[vertex]) {
            long most = Math.min(forward.maximum(vertex), (long) (tasks * (1 + settings.align())));
            for (long larger = tasks; larger <= most; larger++) {
                if (job.keyGroups(vertex) % larger == 0) {
                    return larger;
                }
            }
        }
        return tasks;
    }

    /** A hair less, so that a quotient that is whole apart from rounding stays whole. */
    private static long rounded(double needed) {
        return (long) Math.ceil(needed - HAIR);
    }

    /** The restart costs the same for all of them, so each vertex gets what it needs, if that is more than it has. */
    private void increase() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            desired[vertex] = Math.max(desired[vertex], increased(vertex));
        }
        forward.level(desired);
    }

    /**
     * Why the vertex gets no more tasks, when its last change was an increase that brought less than half of what it
     * should, not long ago; otherwise the empty text.
     */
    private String unhelped(int vertex) {
        int current = job.current(vertex);
        int changed = 0;
        while (changed < job.history() && ranAt(changed, vertex, current)) {
            changed++;
        }
        if (changed == job.history()) {
            return "";
        }
        int before = job.historyCurrent(changed, vertex);
        long since = changed == 0 ? job.runningSince().orElse(job.now()) : job.historySince(changed - 1);
        long left = since + settings.retryAfterMillis() - job.now();
        if (before > current || left <= 0) {
            return "";
        }
        OptionalDouble earlier = OptionalDouble.empty();
        for (int entry = changed; entry < job.history() && earlier.isEmpty() && ranAt(entry, vertex, before); entry++) {
            earlier = historyRate(entry, vertex);
        }
        double rate = rates.rate(vertex);
        if (earlier.isEmpty() || rate < 0) {
            return "";
        }
        double expected = earlier.getAsDouble() * current / before;
        if (rate - earlier.getAsDouble() >= (expected - earlier.getAsDouble()) / 2) {
            return "";
        }
        return job.vertex(vertex) + " stays at " + ReasonText.tasks(current) + ": with " + before + " it had "
                + ReasonText.rate(earlier.getAsDouble()) + ", now it has " + ReasonText.rate(rate) + " instead of "
                + ReasonText.rate(expected) + ", so more did not help; next attempt in "
                + ReasonText.duration(left);
    }

    /** Whether the vertex ran at this parallelism in the earlier state, or was stopped, as it is in each restart. */
    private boolean ranAt(int entry, int vertex, int parallelism) {
        int then = job.historyCurrent(entry, vertex);
        return then == parallelism || then == 0;
    }

    private OptionalDouble historyRate(int entry, int vertex) {
        if (job.historyCurrent(entry, vertex) == 0) {
            return OptionalDouble.empty();
        }
        return source[vertex]
                ? job.historyRecordsOutPerSecond(entry, vertex)
                : job.historyRecordsInPerSecond(entry, vertex);
    }

    private String need(int vertex) {
        int current = job.current(vertex);
        double rate = rates.rate(vertex);
        double exact = rates.needed(vertex, settings.utilization());
        long needed = Double.isInfinite(exact) ? desired[vertex] : Math.max(1, rounded(exact));
        String busy = job.vertex(vertex) + " is busy " + ReasonText.share(rates.busy(vertex)) + " of the time";
        String target = rate < 0
                ? busy + " with " + ReasonText.tasks(current) + "; it needs " + needed
                : busy + " at " + ReasonText.rate(rate / current) + " a task; "
                        + ReasonText.rate(rate * rates.growth(vertex)) + " need " + needed;
        return target
                + (needed == 1 ? " task at " : " tasks at ")
                + ReasonText.share(settings.utilization())
                + (needed == desired[vertex] ? "" : ", asks for " + desired[vertex]);
    }

    /** Why fewer tasks are enough, by the vertex that has most too many; of several, the one with the most work. */
    private String fits(long millis) {
        int found = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (job.peakWork(vertex, millis).isPresent() && (found < 0 || isLooser(vertex, found, millis))) {
                found = vertex;
            }
        }
        return job.vertex(found) + " had work for "
                + ReasonText.share(job.peakWork(found, millis).orElseThrow())
                + " tasks at most in the last " + ReasonText.duration(millis) + "; "
                + ReasonText.tasks(desired[found]) + " of " + job.current(found) + " are enough";
    }

    private boolean isLooser(int vertex, int other, long millis) {
        int more = job.current(vertex) - desired[vertex] - (job.current(other) - desired[other]);
        return more > 0
                || more == 0
                        && job.peakWork(vertex, millis).orElseThrow()
                                > job.peakWork(other, millis).orElseThrow();
    }

    /** Why nothing changes, by the vertex that has the most work. */
    private String steady() {
        int most = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (rates.known(vertex) && (most < 0 || utilization(vertex) > utilization(most))) {
                most = vertex;
            }
        }
        if (most < 0) {
            return "nothing is measured";
        }
        String what = job.vertex(most) + " has the most work: " + ReasonText.tasks(job.current(most)) + ", busy "
                + ReasonText.share(rates.busy(most)) + " of the time";
        if (!isAbove(most)) {
            return what;
        }
        return what
                + (job.current(most) >= forward.maximum(most)
                        ? ", which is its maximum"
                        : ", and more would not help, because each gets all the records of a broadcast edge");
    }

    @Override
    public void judge(FeasibleChange change, JudgementBuilder result) {
        patience.judge(desired, change, result);
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
