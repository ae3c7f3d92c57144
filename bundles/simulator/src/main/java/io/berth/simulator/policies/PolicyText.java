package io.berth.simulator.policies;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A policy with parameters, as a command line names it: {@code NAME[:KEY=VALUE...]}. A colon before a digit belongs to
 * the value, as in 08:00.
 *
 * @param text as it was given
 * @param parameters the parts after the name
 */
public record PolicyText(String text, String name, List<String> parameters) {

    private static final Pattern COLON = Pattern.compile(":(?![0-9])");

    /** Creates an instance of a policy. */
    public interface Creation {
        Object create(PolicyConfiguration configuration, PolicyContext context) throws InvalidConfigurationException;
    }

    /** Of a kind that is known. */
    static PolicyText of(String text) {
        return of(text, 1);
    }

    /**
     * Of any kind: the name may be {@code KIND:NAME}.
     *
     * @param kinds what may be there as {@code KIND}
     */
    public static PolicyText ofKinds(List<String> kinds, String text) {
        String[] parts = COLON.split(text, -1);
        boolean named = parts.length > 1 && kinds.contains(parts[0]) && !parts[1].contains("=");
        return of(text, named ? 2 : 1);
    }

    private static PolicyText of(String text, int names) {
        List<String> parts = Arrays.asList(COLON.split(text, -1));
        return new PolicyText(
                text, String.join(":", parts.subList(0, names)).trim(), parts.subList(names, parts.size()));
    }

    /**
     * The values by key, after the policy has accepted them.
     *
     * @throws IllegalArgumentException names option, policy, key and value, and says what is allowed
     */
    public SortedMap<String, String> accepted(PolicyDescription description, Creation creation) {
        SortedMap<String, String> given = new TreeMap<>();
        List<String> problems = new ArrayList<>();
        for (String parameter : parameters) {
            String[] pair = parameter.split("=", 2);
            if (pair.length < 2 || pair[0].isBlank()) {
                problems.add("'" + parameter + "' is no parameter: allowed is KEY=VALUE");
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
            } catch (RuntimeException failed) {
                problems.add("it cannot be created: " + failed);
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "option " + PolicyLists.POLICY + " has '" + text + "': " + String.join("; ", problems));
        }
        return given;
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
