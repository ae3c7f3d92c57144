package io.berth.scaling.steps;

import io.berth.policy.support.scaling.DesiredParallelism;
import io.berth.policy.support.scaling.ForwardVertices;
import io.berth.policy.support.scaling.PatientJudgement;
import io.berth.policy.support.scaling.ReasonText;
import io.berth.scaling.steps.StepsSettings.Thresholds;
import io.berth.spi.scaling.FeasibleChange;
import io.berth.spi.scaling.JobView;
import io.berth.spi.scaling.JudgementBuilder;
import io.berth.spi.scaling.ParallelismBuilder;
import io.berth.spi.scaling.ScalingSession;
import io.berth.spi.scaling.TaskMetric;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One step at a time: a vertex that is busier than its upper threshold grows, one that is less busy than its lower one
 * shrinks, if the tasks that stay would not be near the upper threshold. Time under back pressure does not count as
 * busy, but not as spare either. Decides from the view alone and keeps nothing but the graph.
 */
final class StepsSession implements ScalingSession {

    /** After a step down, a vertex is at most so busy, as a share of its upper threshold. */
    private static final double MARGIN = 0.9;

    private final JobView job;
    private final StepsSettings settings;
    private final ForwardVertices forward;
    private final PatientJudgement patience;
    private final Thresholds[] thresholds;
    private final DesiredParallelism desires;
    /** What the decision desires. */
    private final int[] desired;

    StepsSession(JobView job, StepsSettings settings) {
        this.job = job;
        this.settings = settings;
        forward = new ForwardVertices(job);
        patience = new PatientJudgement(job, settings.waitMillis());
        thresholds = new Thresholds[job.vertices()];
        for (int vertex = 0; vertex < thresholds.length; vertex++) {
            thresholds[vertex] = settings.thresholds(job.vertex(vertex));
        }
        desires = new DesiredParallelism(job, forward);
        desired = desires.byVertex();
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
            if (age < settings.pauseUpMillis()) {
                long left = settings.pauseUpMillis() - age;
                result.reviewAfter(left);
                result.reason(
                        "the tasks have just started: the next step up is possible in " + ReasonText.duration(left));
            } else {
                result.reviewAfter(settings.intervalMillis());
                result.reason(follow(age));
            }
        } else {
            // Counted from the start, of which nobody tells.
            result.reviewAfter(Math.max(settings.pauseUpMillis(), settings.intervalMillis()));
        }
        desires.tell(result);
    }

    private String follow(long age) {
        desires.keepCurrent();
        int busiest = busiest();
        if (busiest < 0) {
            return "nothing is measured";
        }
        int source = sourceBehind();
        int tight = tightest();
        if (tight >= 0) {
            increase();
            return busy(tight) + ", from " + ReasonText.share(thresholds[tight].up()) + " on it gets more";
        }
        if (source >= 0 && stepUp(busiest) > job.current(busiest) && share(busiest) >= thresholds[busiest].down()) {
            desired[busiest] = stepUp(busiest);
            forward.level(desired);
            return job.vertex(source) + " is " + ReasonText.duration(behindMillis(source)) + " behind, and "
                    + busy(busiest);
        }
        int loose = source >= 0 || age < settings.pauseDownMillis() ? -1 : loosest();
        if (loose >= 0) {
            decrease();
            if (desires.saves()) {
                return busy(loose) + ", below " + ReasonText.share(thresholds[loose].down()) + " it gets fewer";
            }
            desires.keepCurrent();
        }
        return busy(busiest);
    }

    private String busy(int vertex) {
        return job.vertex(vertex) + " with " + ReasonText.tasks(job.current(vertex)) + " is busy "
                + ReasonText.share(share(vertex)) + " of the time";
    }

    /** Busy share of the tasks of the vertex; negative when it is not known. */
    private double share(int vertex) {
        OptionalDouble busy = job.mean(vertex, TaskMetric.BUSY);
        return job.current(vertex) > 0 ? busy.orElse(-1) : -1;
    }

    private int busiest() {
        int found = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (share(vertex) >= 0 && (found < 0 || share(vertex) > share(found))) {
                found = vertex;
            }
        }
        return found;
    }

    private boolean grows(int vertex) {
        return share(vertex) >= thresholds[vertex].up() && stepUp(vertex) > job.current(vertex);
    }

    /** Of the vertices that grow, the busiest one; -1 when none grows. */
    private int tightest() {
        int found = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (grows(vertex) && (found < 0 || share(vertex) > share(found))) {
                found = vertex;
            }
        }
        return found;
    }

    private void increase() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (grows(vertex)) {
                desired[vertex] = stepUp(vertex);
            }
        }
        forward.level(desired);
    }

    private boolean shrinks(int vertex) {
        double busy = share(vertex);
        double spent = busy + job.mean(vertex, TaskMetric.BACK_PRESSURED).orElse(0);
        int current = job.current(vertex);
        int fewer = stepDown(vertex);
        return busy >= 0
                && fewer < current
                && spent < thresholds[vertex].down()
                && busy * current / fewer < MARGIN * thresholds[vertex].up();
    }

    /** Of the vertices that shrink, the least busy one; -1 when none shrinks. */
    private int loosest() {
        int found = -1;
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (shrinks(vertex) && (found < 0 || share(vertex) < share(found))) {
                found = vertex;
            }
        }
        return found;
    }

    private void decrease() {
        for (int vertex = 0; vertex < desired.length; vertex++) {
            if (shrinks(vertex)) {
                desired[vertex] = stepDown(vertex);
            }
        }
        forward.level(desired);
    }

    private int stepUp(int vertex) {
        int current = job.current(vertex);
        long more =
                settings.step() > 0 ? (long) current + settings.step() : (long) Math.ceil(current * settings.factor());
        return forward.within(vertex, more);
    }

    private int stepDown(int vertex) {
        int current = job.current(vertex);
        // By one at least, where the factor alone would change nothing.
        long fewer = settings.step() > 0
                ? (long) current - settings.step()
                : Math.min(current - 1L, (long) Math.ceil(current / settings.factor()));
        return forward.within(vertex, fewer);
    }

    /** The source that is furthest behind, if it is further behind than allowed; otherwise -1. */
    private int sourceBehind() {
        int found = -1;
        for (int vertex = 0; vertex < desired.length && settings.backlogMillis() > 0; vertex++) {
            long behind = behindMillis(vertex);
            if (behind >= settings.backlogMillis() && (found < 0 || behind > behindMillis(found))) {
                found = vertex;
            }
        }
        return found;
    }

    /** How far the source lags, or how long it needs for its backlog if that is more; 0 when it is not known. */
    private long behindMillis(int vertex) {
        OptionalLong records = job.backlogRecords(vertex);
        double rate = job.recordsOutPerSecond(vertex).orElse(0);
        double reading = records.isPresent() && rate > 0 ? records.getAsLong() / rate * 1_000 : 0;
        return Math.max(job.lagMillis(vertex).orElse(0), (long) reading);
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
