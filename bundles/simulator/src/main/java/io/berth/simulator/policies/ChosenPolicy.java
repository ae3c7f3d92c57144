package io.berth.simulator.policies;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy with parameters, as a command line chooses it.
 *
 * @param bundle symbolic name of its bundle
 * @param parameters values by key; the policy has accepted them
 * @param <F> the factory of its kind
 */
public record ChosenPolicy<F>(String name, String bundle, F factory, SortedMap<String, String> parameters) {

    public ChosenPolicy {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** The same as it was chosen: {@code NAME[:KEY=VALUE...]}. */
    public String label() {
        return label(name, parameters);
    }

    /** A name with parameters: {@code NAME[:KEY=VALUE...]}. */
    public static String label(String name, SortedMap<String, String> parameters) {
        StringBuilder label = new StringBuilder(name);
        parameters.forEach(
                (key, value) -> label.append(':').append(key).append('=').append(value));
        return label.toString();
    }
}
