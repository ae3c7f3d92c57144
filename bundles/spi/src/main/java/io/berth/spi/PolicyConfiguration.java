package io.berth.spi;

import java.util.SortedMap;
import org.osgi.annotation.versioning.ProviderType;

/** The configuration of one policy instance, read only. Its getters name the key, the value and what is allowed. */
@ProviderType
public interface PolicyConfiguration {

    /** All keys that were given, in order. */
    SortedMap<String, String> entries();

    /** The text of a key, or the default. */
    String text(String key, String defaultValue);

    /**
     * A whole number of a key, or the default.
     *
     * @throws InvalidConfigurationException when the text is no whole number between the bounds, both allowed
     */
    long number(String key, long defaultValue, long least, long most) throws InvalidConfigurationException;

    /**
     * {@code true} or {@code false}.
     *
     * @throws InvalidConfigurationException when the text is neither
     */
    boolean flag(String key, boolean defaultValue) throws InvalidConfigurationException;
}
