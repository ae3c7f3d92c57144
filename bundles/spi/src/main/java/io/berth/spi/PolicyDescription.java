package io.berth.spi;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a policy says of itself, without being created.
 *
 * @param name the name it is selected by, unique within its kind: lower-case letters, digits and hyphens
 * @param summary one line for people
 * @param configuration the keys that it understands; a key not in this list is refused by the host
 */
public record PolicyDescription(String name, String summary, List<ConfigurationKey> configuration) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,63}");

    public PolicyDescription {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("policy name '" + name
                    + "': allowed are 1 to 64 lower-case letters, digits and hyphens, a letter first");
        }
        configuration = List.copyOf(configuration);
    }

    public PolicyDescription(String name, String summary) {
        this(name, summary, List.of());
    }

    /**
     * One configuration key of a policy.
     *
     * @param key lower-case, dotted, with the unit in the name
     * @param defaultValue what holds when the key is not given
     * @param meaning one line for people, with what is allowed
     */
    public record ConfigurationKey(String key, String defaultValue, String meaning) {}
}
