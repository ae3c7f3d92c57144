package io.berth.core.policies.decision;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.frame.ScalingDraft;
import io.berth.core.policies.frame.ScalingFrame;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.scaling.GraphView;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides the scaling of one job, or of one unit of it, with the policy that the job chose, or the common one. The units
 * of a job share what is known by its id, until the last of them is closed. Has its own main thread; calls of the owner
 * hop to it.
 */
public final class Advisor implements ScalingAdvisor, DecisionQueue.Decider<ScalingAdvisor.ScalingInput> {

    private final DecisionOwner owner;
    private final JobId id;
    private JobGraph job;
    /** With bounds that changed since the last decision. */
    private Optional<JobGraph> next = Optional.empty();
    /** What the job says about its policy. */
    private final Preference own;

    private final Services services;
    private final DecisionQueue<ScalingInput, ScalingOutcome> queue;
    private GraphView view;
    private SlotAllocator allocator;
    private final PolicyBinding<ScalingSession> scaling;
    private final AtomicBoolean open = new AtomicBoolean(true);
    /** For frames; made when the first one is. */
    private Optional<JobGraph> visible = Optional.empty();

    public Advisor(JobGraph job, Runnable changed, Services services) {
        this.owner = DecisionOwner.scaling(job.id());
        this.id = job.id();
        this.job = job;
        this.services = services;
        this.queue = new DecisionQueue<>(
                "scaling of " + owner,
                services,
                Set.of(PolicyKind.SCALING),
                ScalingOutcome.NotDecided::new,
                changed,
                this);
        this.view = new GraphView(job);
        this.allocator = view.allocator();
        this.own = Preference.of(Optional.ofNullable(job.policies().get(PolicyKind.SCALING)));
        this.scaling = new PolicyBinding<>(
                PolicyKind.SCALING,
                owner,
                own,
                services,
                queue.main(),
                () -> LedgerState.NONE,
                (factory, configuration, context) -> ((ScalingPolicyFactory) factory)
                        .create(configuration, context)
                        .open(view),
                ScalingSession::close);
        services.registry().opened(id);
        services.observers().began(id);
        if (own.selector().isPresent()) {
            services.registry().follows(PolicyKind.SCALING, owner, own);
        }
        queue.begin(false, scaling);
    }

    @Override
    public CompletionStage<ScalingOutcome> decide(ScalingInput input) {
        return queue.submit(input);
    }

    @Override
    public void changed(JobGraph with) {
        queue.main().execute(() -> next = Optional.of(with));
    }

    /** Between decisions, because policies may read what they see while they decide. A session knows only one job. */
    private void adopt(JobGraph with) {
        job = with;
        view = view.with(with);
        allocator = view.allocator();
        visible = Optional.empty();
        scaling.drop();
    }

    @Override
    public void close() {
        if (!open.compareAndSet(true, false)) {
            return;
        }
        boolean last = services.registry().closed(id);
        if (last && own.selector().isPresent()) {
            services.registry().stopsFollowing(PolicyKind.SCALING, owner, own);
        }
        queue.close();
    }

    @Override
    public void closed() {
        services.observers().ended(id);
    }

    @Override
    public void decide(ScalingInput input, long dueNanos, long startedNanos) {
        next.ifPresent(this::adopt);
        next = Optional.empty();
        DecisionTime now = DecisionTime.now(services.clock());
        Optional<ScalingDraft> frame = draft(input, now);
        Optional<String> mismatch = view.apply(input, now);
        if (mismatch.isPresent()) {
            queue.finish(new ScalingOutcome.NotDecided(mismatch.get()));
            return;
        }
        new Decision(input, dueNanos, startedNanos, frame).make();
    }

    /** Empty while nobody observes. */
    private Optional<ScalingDraft> draft(ScalingInput input, DecisionTime now) {
        if (services.observers().isEmpty()) {
            return Optional.empty();
        }
        JobGraph seen = visible.orElseGet(() -> ScalingFrame.visible(job));
        visible = Optional.of(seen);
        return Optional.of(
                new ScalingDraft(seen, view.past(), now, services.clock().zone().getId(), input));
    }

    private final class Decision {

        private final long dueNanos;
        private final long startedNanos;
        private final Optional<ScalingDraft> frame;
        private final ScalingDecision decision;

        private Decision(ScalingInput input, long dueNanos, long startedNanos, Optional<ScalingDraft> frame) {
            this.dueNanos = dueNanos;
            this.startedNanos = startedNanos;
            this.frame = frame;
            this.decision = new ScalingDecision(
                    owner,
                    new LiveHost(services, owner),
                    view,
                    allocator,
                    frame.<PolicySource<ScalingSession>>map(draft -> new ObservedSource<>(scaling, draft::add))
                            .orElse(scaling),
                    input,
                    startedNanos,
                    this::finish);
        }

        private void make() {
            decision.make();
        }

        private void finish(ScalingOutcome outcome) {
            if (outcome instanceof ScalingOutcome.Decided decided) {
                scaling.committed(decided.decision(), dueNanos);
            }
            frame.ifPresent(draft -> services.observers()
                    .scaled(draft.finish(
                            List.copyOf(decision.bounds()),
                            outcome,
                            (services.clock().nanos() - startedNanos) / 1_000)));
            queue.finish(outcome);
        }
    }
}
