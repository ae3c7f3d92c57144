package io.berth.core.policies.shadow;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.operations.ShadowOperations.ShadowFigures;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome.Decided;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.detached.DetachedAdvisor;
import io.berth.core.policies.detached.DetachedAnswer;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.spi.JobId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * Shadows the scaling decisions of all jobs of this process, with one instance for each job. A frame is complete, so a gap
 * costs only the decisions in it.
 */
final class ScalingShadow extends Shadow<ScalingFrame> {

    private record Followed(JobGraph graph, DetachedAdvisor advisor) {}

    private final MainThread lane;
    private final ShadowedPolicies policies;
    private final Clock measuring;
    private final SortedMap<JobId, Followed> jobs = new TreeMap<>(Comparator.comparing(JobId::value));

    /** The job whose decision is being made has ended. */
    private boolean endsNext;

    /** @param measuring the clock by which its decisions are measured */
    ScalingShadow(Begun begun, MainThread lane, ShadowedPolicies policies, Clock measuring) {
        super(begun, lane, policies);
        this.lane = lane;
        this.policies = policies;
        this.measuring = measuring;
    }

    @Override
    public boolean needsState(String pool) {
        return false;
    }

    @Override
    public void decided(DecisionFrame frame) {
        // Pools have shadows of their own.
    }

    @Override
    public void scaled(ScalingFrame frame) {
        offer(frame, true);
    }

    /** Closes its instance, after the decision that is being made. */
    @Override
    public void ended(JobId job) {
        lane.execute(() -> {
            Optional<ScalingFrame> deciding = forget(frame -> frame.job().id().equals(job));
            if (deciding.filter(frame -> frame.job().id().equals(job)).isPresent()) {
                endsNext = true;
            } else {
                close(job);
            }
        });
    }

    @Override
    void ended(ScalingFrame frame) {
        if (endsNext) {
            endsNext = false;
            close(frame.job().id());
        }
    }

    private void close(JobId job) {
        Followed gone = jobs.remove(job);
        if (gone != null) {
            gone.advisor().close();
        }
    }

    @Override
    boolean accepts(ScalingFrame frame) {
        return true;
    }

    @Override
    CompletionStage<ShadowResult> decide(ScalingFrame frame) {
        JobId job = frame.job().id();
        Followed before = jobs.get(job);
        if (before != null && !before.graph().equals(frame.job())) {
            close(job);
        }
        return jobs.computeIfAbsent(
                        job,
                        id -> new Followed(
                                frame.job(), new DetachedAdvisor(frame.job(), policies, policies, measuring, lane)))
                .advisor()
                .decide(frame)
                .thenApply(made -> result(frame, made));
    }

    private static ShadowResult result(ScalingFrame frame, DetachedAnswer<ScalingOutcome> made) {
        ShadowFigures decided =
                frame.outcome() instanceof Decided there ? figures(there, frame.micros()) : ShadowFigures.NONE;
        if (!made.failures().isEmpty()) {
            return ShadowResult.failed(decided, made.micros(), made.failures());
        }
        if (!(frame.outcome() instanceof Decided there) || !(made.outcome() instanceof Decided shadowed)) {
            return ShadowResult.NOTHING;
        }
        List<String> differences = new ScalingComparison(frame.job(), there, shadowed).lines();
        if (!differences.isEmpty() && made.assumed()) {
            differences.add("the slots of the job are taken to be all that bounds it, because more is not recorded");
        }
        return ShadowResult.compared(decided, figures(shadowed, made.micros()), differences);
    }

    private static ShadowFigures figures(Decided decided, long micros) {
        return ShadowFigures.ofScaling(
                decided.desired().stream().mapToLong(Integer::longValue).sum(), decided.accepted() ? 1 : 0, micros);
    }

    @Override
    void reset() {
        jobs.values().forEach(followed -> followed.advisor().close());
        jobs.clear();
    }
}
