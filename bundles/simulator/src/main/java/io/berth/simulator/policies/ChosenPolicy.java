package io.berth.simulator.policies;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy with parameters, as a command line chooses it: {@code NAME[:KEY=VALUE...]}.
 *
 * @param bundle symbolic name of its bundle
 * @param parameters values by key; the policy has accepted them
 * @param <F> the factory of its kind
 */
public record ChosenPolicy<F>(String name, String bundle, F factory, SortedMap<String, String> parameters) {

    /** Creates an instance of a policy. */
    interface Creation {
        Object create(PolicyConfiguration configuration, PolicyContext context) throws InvalidConfigurationException;
    }

    public ChosenPolicy {
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** The same as it was chosen. */
    public String label() {
        StringBuilder label = new StringBuilder(name);
        parameters.forEach(
                (key, value) -> label.append(':').append(key).append('=').append(value));
        return label.toString();
    }

    /** The name in {@code NAME[:KEY=VALUE...]}. */
    static String name(String text) {
        return text.split(":", 2)[0].trim();
    }

    /**
     * The same policy with the parameters in {@code NAME[:KEY=VALUE...]}.
     *
     * @throws IllegalArgumentException names option, policy and key, and says what is allowed
     */
    ChosenPolicy<F> with(String text, PolicyDescription description, Creation creation) {
        SortedMap<String, String> given = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        String[] parts = text.split(":", -1);
        for (int part = 1; part < parts.length; part++) {
            String[] pair = parts[part].split("=", 2);
            if (pair.length < 2 || pair[0].isBlank()) {
                problems.add("'" + parts[part] + "' is no parameter: allowed is KEY=VALUE");
            } else if (given.put(pair[0].trim(), pair[1].trim()) != null) {
                problems.add("key " + pair[0].trim() + " is given twice: allowed is once");
            }
        }
        problems.addAll(description.problems(given));
        if (problems.isEmpty()) {
            try {
                creation.create(PolicyConfiguration.of(given, description.configuration()), new Check());
            } catch (InvalidConfigurationException refused) {
                problems.add(String.valueOf(refused.getMessage()));
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "option " + PolicyLists.POLICY + " has '" + text + "': " + String.join("; ", problems));
        }
        return new ChosenPolicy<>(name, bundle, factory, given);
    }

    /** For an instance that is created only to see whether it accepts its parameters. */
    private record Check() implements PolicyContext {

        @Override
        public String owner() {
            return "check";
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public ZoneId zone() {
            return ZoneOffset.UTC;
        }

        @Override
        public long remainingMillis() {
            return Long.MAX_VALUE;
        }

        @Override
        public long seed() {
            return 1;
        }
    }
}
