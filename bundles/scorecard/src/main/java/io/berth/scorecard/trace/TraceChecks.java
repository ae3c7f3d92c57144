package io.berth.scorecard.trace;

import io.berth.scorecard.check.Check;
import io.berth.scorecard.check.Section;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.ReplayedTrace;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.rules.BrokenRule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The checks of a policy on a trace of jobs, which is replayed in virtual time by the ResourceManager and the policy host. A
 * matching strategy is replayed with the default distribution policy, and the other way round.
 */
public final class TraceChecks {

    private static final String BUNDLE = "checked";

    private final ReplayedTrace trace;
    private final PolicyPair policies;
    /** Of the only replay. */
    private Optional<ReplayResult> result = Optional.empty();

    private TraceChecks(ReplayedTrace trace, PolicyPair policies) {
        this.trace = trace;
        this.policies = policies;
    }

    /** @param trace empty: there are no checks */
    public static List<Check> of(Optional<ReplayedTrace> trace, MatchingStrategyFactory factory) {
        String name = factory.describe().name();
        return checks(
                trace,
                new PolicyPair(
                        new ChosenPolicy<>(name, BUNDLE, factory, new TreeMap<>()),
                        PoliciesOfKind.defaultDistribution(),
                        name));
    }

    /** @param trace empty: there are no checks */
    public static List<Check> of(Optional<ReplayedTrace> trace, DistributionPolicyFactory factory) {
        String name = factory.describe().name();
        return checks(
                trace,
                new PolicyPair(
                        PoliciesOfKind.defaultMatching(),
                        new ChosenPolicy<>(name, BUNDLE, factory, new TreeMap<>()),
                        name));
    }

    private static List<Check> checks(Optional<ReplayedTrace> replayed, PolicyPair policies) {
        if (replayed.isEmpty()) {
            return List.of();
        }
        TraceChecks checks = new TraceChecks(replayed.get(), policies);
        return List.of(
                Check.of(
                        Section.TRACE,
                        "keepsTheRulesOnATrace",
                        "makes each decision of a replayed trace within the rules of the host",
                        checks::keepsTheRules),
                new Check(
                        Section.TRACE,
                        "startsEachJobOfATrace",
                        "lets each job of a replayed trace start that the empty cluster can hold",
                        5,
                        checks::startsEachJob));
    }

    private ReplayResult result() {
        ReplayResult known = result.orElseGet(() -> trace.with(policies));
        result = Optional.of(known);
        return known;
    }

    private void keepsTheRules() {
        result().rejections().line().ifPresent(wrong -> {
            throw new BrokenRule(wrong);
        });
    }

    private Check.Found startsEachJob() {
        ReplayResult replayed = result();
        if (replayed.waiting() > 0) {
            throw new BrokenRule(replayed.waiting() + " of " + replayed.jobs() + " jobs never started");
        }
        return Check.Found.of(String.format(
                Locale.ROOT,
                "%d jobs: wait %.0f s in the mean, %.0f s at most; %.1f workers used",
                replayed.begun(),
                replayed.waitMean().orElse(0),
                replayed.waitLongest().orElse(0),
                replayed.workersUsedMean()));
    }
}
