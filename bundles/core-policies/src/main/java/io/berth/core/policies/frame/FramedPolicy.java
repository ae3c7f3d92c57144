package io.berth.core.policies.frame;

import io.berth.core.api.policy.PolicyIdentity;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * An instance of a policy that took part in a decision.
 *
 * @param service id of its factory, which distinguishes policies of the same name
 * @param configuration the entries that it was created with
 * @param seed of its context
 * @param deadlineMillis how long a call may take
 */
public record FramedPolicy(
        PolicyIdentity identity,
        long service,
        SortedMap<String, String> configuration,
        long seed,
        long deadlineMillis) {

    public FramedPolicy {
        configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
    }
}
