package io.berth.core.api.job;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The policy that a job chose for itself.
 *
 * @param selector a name, or an LDAP filter on service properties
 * @param parameters configuration that replaces the policy's own for this job; empty with a filter
 */
public record PolicyChoice(String selector, SortedMap<String, String> parameters) {

    public PolicyChoice {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** Without parameters. */
    public static PolicyChoice of(String selector) {
        return new PolicyChoice(selector, new TreeMap<>());
    }
}
