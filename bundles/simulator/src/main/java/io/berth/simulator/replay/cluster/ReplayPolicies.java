package io.berth.simulator.replay.cluster;

import io.berth.core.api.job.JobGraph;
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
import io.berth.simulator.policies.PolicyPair;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The policy host with its guard and validator, with one matching strategy and one distribution policy. It also gives
 * access to the ledger of the ResourceManager.
 */
public final class ReplayPolicies implements PolicyHost, AutoCloseable {

    /** The version of a policy that does not come from a bundle. */
    private static final String NO_BUNDLE = "0.0.0";

    private final PolicyHostNode host;
    private Optional<Supplier<LedgerState>> ledger = Optional.empty();

    public ReplayPolicies(ReplayTime time, PolicyPair policies, ReplayedPool pool) {
        SortedMap<String, SortedMap<String, String>> configurations = new TreeMap<>();
        configure(configurations, policies.matching());
        configure(configurations, policies.distribution());
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
        offer(1, PolicyKind.MATCHING, policies.matching(), policies.matching().factory());
        offer(
                2,
                PolicyKind.DISTRIBUTION,
                policies.distribution(),
                new TraceTimeDistribution(policies.distribution().factory()));
    }

    private static void configure(SortedMap<String, SortedMap<String, String>> configurations, ChosenPolicy<?> policy) {
        configurations
                .computeIfAbsent(policy.bundle(), first -> new TreeMap<>())
                .putAll(policy.parameters());
    }

    private void offer(long id, PolicyKind kind, ChosenPolicy<?> policy, Object factory) {
        host.offer(new PolicyHostNode.Offer(id, kind, policy.name(), policy.bundle(), NO_BUNDLE, 100, factory));
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
