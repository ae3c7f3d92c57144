package io.berth.simulator.replay.cluster;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.policies.PolicyHostNode;
import io.berth.core.policies.guard.GuardThreads;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyPair;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The policy host with its guard and validator, with one matching strategy and one distribution policy. As on a cluster,
 * the default policy of a kind decides where the chosen one fails. It also gives access to the ledger of the
 * ResourceManager.
 */
public final class ReplayPolicies implements PolicyHost, AutoCloseable {

    /** The version of a policy that does not come from a bundle. */
    private static final String NO_BUNDLE = "0.0.0";

    private static final int CHOSEN = 100;
    private static final int FALLBACK = 0;

    private final PolicyPair chosen;
    private final PolicyHostNode host;
    private final DecisionCounts counts;
    private Optional<Supplier<LedgerState>> ledger = Optional.empty();

    public ReplayPolicies(ReplayTime time, PolicyPair chosen, ReplayedPool pool) {
        this.chosen = chosen;
        SortedMap<String, SortedMap<String, String>> configurations = new TreeMap<>();
        configure(configurations, chosen.matching());
        configure(configurations, chosen.distribution());
        configurations.put(ReplayedPool.PID, pool.entries());
        host = new PolicyHostNode(new PolicyHostNode.Environment(
                time,
                time,
                time,
                bundle -> new OnTime(time),
                pid -> configurations.getOrDefault(pid, new TreeMap<>()),
                failure -> {
                    throw new AssertionError(failure);
                }));
        host.configurationChanged(ReplayedPool.PID);
        offer(
                1,
                CHOSEN,
                PolicyKind.MATCHING,
                chosen.matching(),
                new TraceTimeMatching(chosen.matching().factory()));
        offer(
                2,
                CHOSEN,
                PolicyKind.DISTRIBUTION,
                chosen.distribution(),
                new TraceTimeDistribution(chosen.distribution().factory()));
        ChosenPolicy<MatchingStrategyFactory> matching = PoliciesOfKind.defaultMatching();
        if (!matching.name().equals(chosen.matching().name())) {
            offer(3, FALLBACK, PolicyKind.MATCHING, matching, matching.factory());
        }
        ChosenPolicy<DistributionPolicyFactory> distribution = PoliciesOfKind.defaultDistribution();
        if (!distribution.name().equals(chosen.distribution().name())) {
            offer(4, FALLBACK, PolicyKind.DISTRIBUTION, distribution, distribution.factory());
        }
        counts = new DecisionCounts(chosen, host.operations());
        host.observers().add(counts);
    }

    private static void configure(SortedMap<String, SortedMap<String, String>> configurations, ChosenPolicy<?> policy) {
        configurations
                .computeIfAbsent(policy.bundle(), first -> new TreeMap<>())
                .putAll(policy.parameters());
    }

    private void offer(long id, int ranking, PolicyKind kind, ChosenPolicy<?> policy, Object factory) {
        host.offer(new PolicyHostNode.Offer(id, kind, policy.name(), policy.bundle(), NO_BUNDLE, ranking, factory));
    }

    /** What was not accepted from the chosen policies so far. */
    public Rejections rejections() {
        return new Rejections(
                failures(PolicyKind.MATCHING, chosen.matching()),
                failures(PolicyKind.DISTRIBUTION, chosen.distribution()),
                counts.fallback(),
                counts.undecided(),
                counts.first());
    }

    private long failures(PolicyKind kind, ChosenPolicy<?> policy) {
        return host.operations().policies().stream()
                .filter(details -> details.kind() == kind && details.name().equals(policy.name()))
                .mapToLong(PolicyOperations.PolicyDetails::failures)
                .sum();
    }

    /** What the ResourceManager has given out, by its own books. */
    public LedgerState ledger() {
        return ledger.map(Supplier::get).orElse(LedgerState.NONE);
    }

    @Override
    public PlacementPlanner openPlanner(
            String pool, MatchingRule rule, Supplier<LedgerState> owners, Runnable changed) {
        ledger = Optional.of(owners);
        return host.policies().openPlanner(pool, rule, owners, changed);
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable changed) {
        return host.policies().openScaling(job, changed);
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        return host.policies().assign(query);
    }

    @Override
    public void close() {
        host.close();
    }

    /** A call of a policy waits for its turn like everything else. */
    private record OnTime(ReplayTime time) implements GuardThreads {

        @Override
        public void execute(Runnable call) {
            time.execute(call);
        }

        @Override
        public void abandoned() {
            throw new Invariants.Violation("a call to a policy was given up, although calls take no time");
        }

        @Override
        public void returned() {
            throw new Invariants.Violation(
                    "a call to a policy that was given up returned, although calls take no time");
        }

        @Override
        public void end() {}
    }
}
