package io.berth.spi;

import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The configuration of one policy instance. It is immutable; a policy may keep it and read it on any thread. Before
 * the host calls {@code create}, it checks the configuration against the keys that the policy describes: each given
 * value has the described type and lies within the described bounds. What only the policy can know, such as two keys
 * that contradict each other, {@code create} rejects with an {@link InvalidConfigurationException}.
 *
 * <p>Each type has one method. It returns the given value of a described key, or the default of the description. A
 * required key always has a given value. A key that a pattern describes, such as {@code queue.a.weight}, is read by its
 * full name. Each method throws an IllegalArgumentException when the policy does not describe the key, or describes it
 * with another type.
 */
@ProviderType
public interface PolicyConfiguration {

    /**
     * A configuration as the host passes it to a policy that describes these keys. It is not checked: {@link
     * PolicyDescription#problems} does that.
     */
    static PolicyConfiguration of(SortedMap<String, String> entries, List<ConfigurationKey> keys) {
        return new DescribedConfiguration(entries, keys);
    }

    /** All keys that were given, in order, without defaults. */
    SortedMap<String, String> entries();

    /** The value of a text or of a choice; other types as they were written, without the blanks around them. */
    String text(String key);

    /** The value of a whole number. */
    long number(String key);

    /** The value of a number that may have decimal places. */
    double decimal(String key);

    /** The value of a share, from 0 to 1. */
    double share(String key);

    /** The value of a length of time. */
    Duration duration(String key);

    /** The value of a size, in bytes. */
    long size(String key);

    /** The value of a flag. */
    boolean flag(String key);

    /** The items of a list. */
    List<String> list(String key);

    /**
     * What the given keys have in place of the star of a described pattern: {@code a} and {@code b} for {@code
     * queue.*.weight} when {@code queue.a.weight} and {@code queue.b.weight} are given.
     */
    SortedSet<String> names(String pattern);
}
