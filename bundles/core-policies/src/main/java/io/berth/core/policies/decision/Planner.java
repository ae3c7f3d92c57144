package io.berth.core.policies.decision;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.frame.UseMoment;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PastUseStore;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.Preference;
import io.berth.policy.rules.placement.RemainingCapacity;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans for one pool. Keeps the state that both sessions read, applies deltas only between decisions, and makes one
 * decision at a time ({@link PlanningDecision}). Has its own main thread; calls of the owner hop to it.
 */
public final class Planner implements PlacementPlanner, DecisionQueue.Decider<PlanningInput> {

    private static final Logger LOG = LoggerFactory.getLogger(Planner.class);
    /** A change of what is used is recorded after this time, and written within another second. */
    private static final long PUBLISHED_MILLIS = 10_000;
    /** What is used is recorded at least so often, as long as queues or submitters are told apart. */
    private static final long PUBLISHED_AGAIN_MILLIS = 300_000;

    private final DecisionOwner owner;
    private final Services services;
    private final String pool;
    private final DecisionQueue<PlanningInput, PlanOutcome> queue;
    private final WorkerColumns workers = new WorkerColumns();
    private final UnitTable units = new UnitTable(workers);
    private final RemainingCapacity rest = new RemainingCapacity();
    private final PolicyBinding<AdmissionSession> distribution;
    private final PolicyBinding<OpenStrategy> matching;
    private final LeftOutUnits leftOutUnits = new LeftOutUnits();
    private final Review review = new Review();
    private final PlannerFrames frames;
    /** What the file of the pool says about who decides, as the registry shows it. */
    private final Map<PolicyKind, Preference> ownChoices = new EnumMap<>(PolicyKind.class);

    /** The settings that the choices are of; null before the first decision. */
    private @Nullable PoolSettings followed;

    private Optional<Timers.Cancellable> reminder = Optional.empty();
    private Optional<Timers.Cancellable> publishing = Optional.empty();
    /** The time for it runs. */
    private boolean changePublished;
    /** It could not be published during a decision. */
    private boolean publishDue;

    /** When policies wished to be asked again, as time of the clock. */
    private OptionalLong reviewNanos = OptionalLong.empty();
    /** Whether this decision asks policies. */
    private boolean asks;

    /** Empty until the first decision. */
    private Optional<PastUseStore.Account> account = Optional.empty();

    private long begunMillis;

    private volatile boolean usesSlots;
    private volatile boolean countsUse;
    private final Runnable poolChanged;

    /** @param rule that default slots and the commit of the owner follow; strategies only see amounts */
    public Planner(String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed, Services services) {
        this.owner = DecisionOwner.plans(pool);
        this.services = services;
        this.pool = pool;
        this.frames = new PlannerFrames(pool, services, units, leftOutUnits);
        this.queue = new DecisionQueue<>(
                "planner of " + owner + " by rule " + rule,
                services,
                EnumSet.of(PolicyKind.DISTRIBUTION, PolicyKind.MATCHING),
                PlanOutcome.NotDecided::new,
                changed,
                this);
        this.poolChanged = () -> queue.main().execute(queue::notifyOwner);
        this.distribution = new PolicyBinding<>(
                PolicyKind.DISTRIBUTION,
                owner,
                services.pools().preference(pool, PolicyKind.DISTRIBUTION),
                services,
                queue.main(),
                ledger,
                (factory, configuration, context) -> ((DistributionPolicyFactory) factory)
                        .create(configuration, context)
                        .open(units),
                AdmissionSession::close);
        this.matching = new PolicyBinding<>(
                PolicyKind.MATCHING,
                owner,
                services.pools().preference(pool, PolicyKind.MATCHING),
                services,
                queue.main(),
                ledger,
                (factory, configuration, context) ->
                        OpenStrategy.of(((MatchingStrategyFactory) factory).create(configuration, context), workers),
                open -> open.session().close());
        queue.begin(true, distribution, matching);
        services.pools().listen(poolChanged);
    }

    /** What is used changes only with a decision. */
    private void publishLater() {
        if (!changePublished) {
            changePublished = true;
            publishAfter(PUBLISHED_MILLIS);
        }
    }

    private void publishAfter(long millis) {
        publishing.ifPresent(Timers.Cancellable::cancel);
        publishing = Optional.of(queue.main().schedule(millis, () -> {
            if (queue.isIdle()) {
                publish();
            } else {
                publishDue = true;
            }
        }));
    }

    private void publish() {
        publishDue = false;
        changePublished = false;
        DecisionTime now = DecisionTime.now(services.clock());
        Optional<PastUse> foreign = account.flatMap(PastUseStore.Account::takeForeign);
        UseMoment moment = new UseMoment(now, foreign, begunMillis);
        frames.counted(moment);
        Optional<PastUse> past = moment.applyTo(units);
        services.pools().measured(pool, now.wallMillis(), units.queueDetails(now));
        past.ifPresent(use -> {
            account.ifPresent(of -> of.publish(use));
            publishAfter(PUBLISHED_AGAIN_MILLIS);
        });
    }

    @Override
    public CompletionStage<PlanOutcome> plan(PlanningInput input) {
        return queue.submit(input);
    }

    @Override
    public Optional<PolicyIdentity> asked() {
        return distribution.asked().or(matching::asked);
    }

    @Override
    public boolean usesSlots() {
        return usesSlots;
    }

    @Override
    public boolean countsUse() {
        return countsUse;
    }

    @Override
    public void committed(long decision, Commit commit) {
        if (decision <= 0) {
            return;
        }
        queue.main().execute(() -> {
            distribution.committed(decision, commit);
            matching.committed(decision, commit);
        });
        services.log().committed(decision, commit);
    }

    @Override
    public Optional<SortedMap<String, Long>> queueRoom(String queue) {
        return services.pools().room(pool, queue);
    }

    @Override
    public void close() {
        services.pools().forget(poolChanged);
        queue.close();
    }

    @Override
    public void decide(PlanningInput input, long dueNanos, long startedNanos) {
        review.begin();
        asks = false;
        PoolSettings settings = services.pools().settings(pool);
        if (settings != followed) {
            followed = settings;
            prefer(PolicyKind.DISTRIBUTION, distribution, settings);
            prefer(PolicyKind.MATCHING, matching, settings);
        }
        try {
            DecisionTime now = DecisionTime.now(services.clock());
            frames.begin(
                    input,
                    now,
                    settings,
                    startedNanos,
                    Stream.of(distribution.identity(), matching.identity()).flatMap(Optional::stream));
            apply(input, settings, now);
        } catch (RuntimeException invalid) {
            LOG.error("{}: state {} cannot be applied", owner, input.stateNumber(), invalid);
            reviewNanos = OptionalLong.empty();
            queue.finish(new PlanOutcome.NotDecided("the input cannot be applied: " + invalid));
            return;
        }
        if (units.nothingLacks()) {
            PolicyIdentity last = matching.identity().orElse(nobody(PolicyKind.MATCHING));
            // Opens the strategy, because it may look at what jobs have.
            matching.prepare(() -> decideWithoutNeed(input, last, startedNanos));
        } else {
            make(startedNanos);
        }
    }

    /** Follows what the file of the pool says now. */
    private void prefer(PolicyKind kind, PolicyBinding<?> binding, PoolSettings settings) {
        Preference now = settings.policies().preference(kind);
        binding.prefer(now);
        showChoice(kind, now.withoutParameters());
    }

    private void showChoice(PolicyKind kind, Preference now) {
        Preference before = ownChoices.put(kind, now);
        if (!now.equals(before)) {
            hideChoice(kind, before);
            services.registry().follows(kind, owner, now);
        }
    }

    private void hideChoice(PolicyKind kind, @Nullable Preference shown) {
        if (shown != null) {
            services.registry().stopsFollowing(kind, owner, shown);
        }
    }

    /** @param last the strategy that was open before */
    private void decideWithoutNeed(PlanningInput input, PolicyIdentity last, long startedNanos) {
        long nanos = services.clock().nanos();
        boolean isDue = reviewNanos.isPresent() && reviewNanos.getAsLong() <= nanos;
        if (isDue) {
            // Without a strategy there is nobody to ask; a new one is a change.
            reviewNanos = OptionalLong.empty();
        }
        if (isDue && matching.session().isPresent()
                || matching.session().filter(OpenStrategy::usesAllocations).isPresent()) {
            make(startedNanos);
        } else {
            finish(new PlanOutcome.Planned(
                    0,
                    input.stateNumber(),
                    distribution.identity().orElse(nobody(PolicyKind.DISTRIBUTION)),
                    last,
                    PlacementRuns.NONE,
                    List.of(),
                    workers.limit(),
                    List.of()));
        }
    }

    private void make(long startedNanos) {
        asks = true;
        new PlanningDecision(
                        owner,
                        new LiveHost(services, owner),
                        workers,
                        units,
                        rest,
                        frames.observed(PolicyKind.DISTRIBUTION, distribution),
                        frames.observed(PolicyKind.MATCHING, matching),
                        leftOutUnits,
                        review,
                        startedNanos,
                        this::finish)
                .make();
    }

    private void finish(PlanOutcome outcome) {
        frames.finish(outcome, review.afterMillis());
        queue.finish(outcome);
    }

    private static PolicyIdentity nobody(PolicyKind kind) {
        return new PolicyIdentity(kind, "none", "", "", 0, 0);
    }

    private void apply(PlanningInput input, PoolSettings settings, DecisionTime now) {
        boolean grown = units.apply(settings, now, input);
        if (account.isEmpty()) {
            PastUseStore.Account opened = services.pastUse().open(pool);
            account = Optional.of(opened);
            begunMillis = now.wallMillis();
            opened.before().ifPresent(record -> {
                frames.restored(record);
                units.restore(record, begunMillis, now);
            });
        }
        if (grown) {
            // The sessions were opened on fewer dimensions.
            matching.drop();
            distribution.drop();
        }
    }

    /**
     * Schedules a decision for the time when the reason for leaving out a minimum no longer counts, or when a policy
     * asked for it.
     */
    @Override
    public void ended() {
        frames.end();
        usesSlots = matching.session().filter(OpenStrategy::usesAllocations).isPresent()
                || services.observers().useSlots(pool);
        countsUse = units.countsUse();
        units.clearOverlay();
        workers.clearOverlay();
        if (publishDue) {
            publish();
        } else {
            publishLater();
        }
        reminder.ifPresent(Timers.Cancellable::cancel);
        long limitNanos = services.registry().limits().leftOutMillis() * 1_000_000;
        long nanos = services.clock().nanos();
        OptionalLong leftOut = leftOutUnits.next(limitNanos, nanos);
        long millis = untilReview(nanos);
        if (leftOut.isPresent()) {
            millis = Math.min(millis, leftOut.getAsLong() / 1_000_000 + 1);
        }
        reminder = millis == Long.MAX_VALUE
                ? Optional.empty()
                : Optional.of(queue.main().schedule(millis, queue::notifyOwner));
    }

    /** What policies wished for counts until they are asked again: when nothing lacks slots, they are not. */
    private long untilReview(long nanos) {
        if (asks) {
            OptionalLong after = review.afterMillis();
            reviewNanos = after.isPresent() ? OptionalLong.of(nanos + after.getAsLong() * 1_000_000) : after;
        }
        if (reviewNanos.isEmpty()) {
            return Long.MAX_VALUE;
        }
        long left = reviewNanos.getAsLong() - nanos;
        return left > 0 ? (left + 999_999) / 1_000_000 : Review.MIN_MILLIS;
    }

    @Override
    public void closed() {
        ownChoices.forEach(this::hideChoice);
        ownChoices.clear();
        if (account.isPresent()) {
            publish();
        }
        publishing.ifPresent(Timers.Cancellable::cancel);
        reminder.ifPresent(Timers.Cancellable::cancel);
    }
}
