package io.berth.core.policies.registration;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyConfiguration;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The configuration of a policy, checked against the keys that the policy describes. */
public record GivenConfiguration(SortedMap<String, String> entries, List<ConfigurationKey> keys) {

    public GivenConfiguration {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
        keys = List.copyOf(keys);
    }

    /** For a policy that describes no keys. */
    public static GivenConfiguration none() {
        return new GivenConfiguration(new TreeMap<>(), List.of());
    }

    /** With the parameters of one owner in place of its own entries. */
    public GivenConfiguration with(SortedMap<String, String> parameters) {
        SortedMap<String, String> all = new TreeMap<>(entries);
        all.putAll(parameters);
        return new GivenConfiguration(all, keys);
    }

    /** As the policy reads it. */
    public PolicyConfiguration read() {
        return PolicyConfiguration.of(entries, keys);
    }
}
