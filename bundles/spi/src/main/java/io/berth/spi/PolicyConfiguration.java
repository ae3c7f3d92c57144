package io.berth.spi;

import java.util.SortedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The configuration of one policy instance. Immutable, may be kept and read on any thread. The host has checked it
 * against the keys that the policy describes before {@code create} is called: what is given has the described type and
 * lies within the described bounds. What only the policy can know, as two keys that contradict each other, {@code create}
 * refuses with an {@link InvalidConfigurationException}.
 */
@ProviderType
public interface PolicyConfiguration {

    /** All keys that were given, in order, without defaults. */
    SortedMap<String, String> entries();

    /**
     * The value of a described key, or its default; of a required key what was given.
     *
     * @throws IllegalArgumentException when the policy does not describe the key
     */
    String text(String key);

    /**
     * The value of a key that is described as a number, or its default.
     *
     * @throws IllegalArgumentException when the policy does not describe the key, or as something else
     */
    long number(String key);

    /**
     * The value of a key that is described as a flag, or its default.
     *
     * @throws IllegalArgumentException when the policy does not describe the key, or as something else
     */
    boolean flag(String key);

    /** The text of a key, or the default. */
    String text(String key, String defaultValue);

    /**
     * A whole number of a key, or the default.
     *
     * @throws InvalidConfigurationException when the text is no whole number between the bounds, both allowed; it names
     *     the key, the value and what is allowed
     */
    long number(String key, long defaultValue, long least, long most) throws InvalidConfigurationException;

    /**
     * {@code true} or {@code false}.
     *
     * @throws InvalidConfigurationException when the text is neither; it names the key, the value and what is allowed
     */
    boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException;
}
