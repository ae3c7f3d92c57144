package io.berth.simulator.decisions;

import io.berth.core.policies.detached.DetachedPolicies;
import io.berth.core.policies.detached.DetachedRegistration;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.simulator.policies.PolicyJar;
import io.berth.simulator.policies.PolicyText;
import io.berth.simulator.policies.ShippedPolicies;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/** The policies of this release, and those of given bundles, which replace the ones of their kinds and names. */
final class KnownPolicies {

    /** A service id that no recorded policy has. */
    private static final long CANDIDATE = -1;

    private static final List<String> KINDS =
            Stream.of(PolicyKind.values()).map(PolicyKind::label).toList();

    private record Known(
            PolicyKind kind, PolicyDescription description, Object factory, PolicyText.Creation creation, String from) {

        String name() {
            return description.name();
        }

        String qualified() {
            return kind.label() + ":" + name();
        }

        boolean is(PolicyKind otherKind, String otherName) {
            return kind == otherKind && name().equals(otherName);
        }
    }

    private final List<Known> known = new ArrayList<>();

    /** @throws IllegalArgumentException when a bundle has no policy that can be used */
    KnownPolicies(List<Path> bundles) {
        for (Path bundle : bundles) {
            for (Object factory : PolicyJar.read(bundle).factories()) {
                add(factory, bundle.getFileName().toString());
            }
        }
        for (ShippedPolicies.Shipped<?> shipped : ShippedPolicies.all()) {
            add(shipped.factory(), "this release");
        }
    }

    private void add(Object factory, String from) {
        if (factory instanceof MatchingStrategyFactory matching) {
            add(new Known(PolicyKind.MATCHING, matching.describe(), factory, matching::create, from));
        } else if (factory instanceof DistributionPolicyFactory distribution) {
            add(new Known(PolicyKind.DISTRIBUTION, distribution.describe(), factory, distribution::create, from));
        } else if (factory instanceof ScalingPolicyFactory scaling) {
            add(new Known(PolicyKind.SCALING, scaling.describe(), factory, scaling::create, from));
        }
    }

    private void add(Known added) {
        if (find(added.kind(), added.name()).isEmpty()) {
            known.add(added);
        }
    }

    private Optional<Known> find(PolicyKind kind, String name) {
        return known.stream().filter(one -> one.is(kind, name)).findFirst();
    }

    /**
     * The policy with the given parameters; keys that are not given have their defaults.
     *
     * @param text {@code [KIND:]NAME[:KEY=VALUE...]}
     * @throws IllegalArgumentException when there is none, several kinds have one of that name, or it refuses the
     *     parameters
     */
    Candidate candidate(String text) {
        PolicyText given = PolicyText.ofKinds(KINDS, text);
        List<Known> found = known.stream()
                .filter(one -> given.name().equals(one.name()) || given.name().equals(one.qualified()))
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("option --policy is '" + text + "': allowed are "
                    + String.join(", ", known.stream().map(Known::qualified).toList())
                    + ", also without the kind, with :KEY=VALUE for parameters; --bundle adds those of a bundle");
        }
        if (found.size() > 1) {
            throw new IllegalArgumentException("option --policy is '" + text
                    + "', which several kinds have: allowed are "
                    + String.join(", ", found.stream().map(Known::qualified).toList()));
        }
        Known one = found.get(0);
        SortedMap<String, String> parameters = given.accepted(one.description(), one.creation());
        return new Candidate(
                new DetachedRegistration(CANDIDATE, one.kind(), one.name(), one.from(), "0.0.0", one.factory())
                        .candidate(0, parameters, one.description().configuration()));
    }

    /** The recorded policies, or a candidate in place of those of its kind. */
    DetachedPolicies inPlace(Optional<Candidate> candidate) {
        return new DetachedPolicies() {
            @Override
            public Optional<PolicyCandidate> inPlaceOf(PolicyKind kind) {
                return candidate.map(Candidate::policy).filter(policy -> policy.kind() == kind);
            }

            @Override
            public Optional<PolicyCandidate> framed(FramedPolicy policy) {
                return find(policy.identity().kind(), policy.identity().name())
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
