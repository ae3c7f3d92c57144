package io.berth.core.policies.pools;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.policies.registration.Preference;
import io.berth.spi.PolicyKind;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The policies that the file of a pool names. A kind that is missing follows what is common to all pools.
 *
 * @param choices policy and parameters by kind
 * @param fallbacks names of the policies that decide in place of a missing one, by kind
 */
public record PoolPolicies(SortedMap<PolicyKind, PolicyChoice> choices, SortedMap<PolicyKind, List<String>> fallbacks) {

    public static final PoolPolicies NONE =
            new PoolPolicies(Collections.emptySortedMap(), Collections.emptySortedMap());

    public PoolPolicies {
        choices = Collections.unmodifiableSortedMap(new TreeMap<>(choices));
        fallbacks = Collections.unmodifiableSortedMap(new TreeMap<>(fallbacks));
    }

    /** What they say about who decides. */
    public Preference preference(PolicyKind kind) {
        return new Preference(Optional.ofNullable(choices.get(kind)), Optional.ofNullable(fallbacks.get(kind)));
    }
}
