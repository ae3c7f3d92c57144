package io.berth.spi;

import java.util.SortedMap;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The configuration of one policy instance. It is immutable; a policy may keep it and read it on any thread. Before
 * the host calls {@code create}, it checks the configuration against the keys that the policy describes: each given
 * value has the described type and lies within the described bounds. What only the policy can know, such as two keys
 * that contradict each other, {@code create} rejects with an {@link InvalidConfigurationException}.
 */
@ProviderType
public interface PolicyConfiguration {

    /** All keys that were given, in order, without defaults. */
    SortedMap<String, String> entries();

    /**
     * The value of a described key, or its default. A required key always has a given value.
     *
     * @throws IllegalArgumentException when the policy does not describe the key
     */
    String text(String key);

    /**
     * The value of a key that is described as a number, or its default.
     *
     * @throws IllegalArgumentException when the policy does not describe the key, or describes it with another type
     */
    long number(String key);

    /**
     * The value of a key that is described as a flag, or its default.
     *
     * @throws IllegalArgumentException when the policy does not describe the key, or describes it with another type
     */
    boolean flag(String key);

    /** The text of a key, or the default. */
    String text(String key, String defaultValue);

    /**
     * A whole number of a key, or the default.
     *
     * @throws InvalidConfigurationException when the text is not a whole number within the bounds (inclusive); the
     *     message names the key, the value and what is allowed
     */
    long number(String key, long defaultValue, long least, long most) throws InvalidConfigurationException;

    /**
     * {@code true} or {@code false}.
     *
     * @throws InvalidConfigurationException when the text is neither; the message names the key, the value and what is
     *     allowed
     */
    boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException;
}
