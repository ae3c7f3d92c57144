package io.berth.simulator.decisions;

import io.berth.core.policies.detached.DetachedPolicies;
import io.berth.core.policies.detached.DetachedRegistration;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.matching.spread.SpreadFactory;
import io.berth.simulator.policies.PolicyJar;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The policies of this release, and those of given bundles, which replace the ones of their names. */
final class KnownPolicies {

    /** A service id that no recorded policy has. */
    private static final long CANDIDATE = -1;

    private record Known(PolicyKind kind, PolicyDescription description, Object factory, String from) {}

    private final List<Known> known = new ArrayList<>();

    /** @throws IllegalArgumentException when a bundle has no policy that can be used */
    KnownPolicies(List<Path> bundles) {
        for (Path bundle : bundles) {
            for (Object factory : PolicyJar.read(bundle).factories()) {
                add(factory, bundle.getFileName().toString());
            }
        }
        add(new FirstFitFactory(), "this release");
        add(new SpreadFactory(), "this release");
        add(new FifoFactory(), "this release");
    }

    private void add(Object factory, String from) {
        if (factory instanceof MatchingStrategyFactory matching) {
            known.add(new Known(PolicyKind.MATCHING, matching.describe(), factory, from));
        } else if (factory instanceof DistributionPolicyFactory distribution) {
            known.add(new Known(PolicyKind.DISTRIBUTION, distribution.describe(), factory, from));
        }
    }

    /** The policy with the default configuration. */
    PolicyCandidate candidate(String name) {
        Known found = known.stream()
                .filter(one -> one.description().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("option --policy is '" + name + "': allowed are "
                        + String.join(
                                ", ",
                                known.stream()
                                        .map(one -> one.description().name())
                                        .distinct()
                                        .toList())
                        + "; --bundle adds those of a bundle"));
        return new DetachedRegistration(CANDIDATE, found.kind(), name, found.from(), "0.0.0", found.factory())
                .candidate(0, new TreeMap<>(), found.description().configuration());
    }

    /** The recorded policies, or a candidate in place of those of its kind. */
    DetachedPolicies inPlace(Optional<PolicyCandidate> candidate) {
        return new DetachedPolicies() {
            @Override
            public Optional<PolicyCandidate> inPlaceOf(PolicyKind kind) {
                return candidate.filter(policy -> policy.kind() == kind);
            }

            @Override
            public Optional<PolicyCandidate> framed(FramedPolicy policy) {
                return known.stream()
                        .filter(one -> one.kind() == policy.identity().kind()
                                && one.description()
                                        .name()
                                        .equals(policy.identity().name()))
                        .findFirst()
                        .map(one -> DetachedRegistration.framed(
                                policy, one.factory(), one.description().configuration()));
            }

            @Override
            public String missing(FramedPolicy policy) {
                return policy.identity() + " is not part of this release: give its jar with --bundle";
            }
        };
    }
}
