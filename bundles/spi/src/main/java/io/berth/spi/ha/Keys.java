package io.berth.spi.ha;

import java.util.regex.Pattern;

/** Which keys a {@link MetadataStore} accepts. They are the same for every implementation. */
public final class Keys {

    /** The maximum number of characters of a key. */
    public static final int MAX_LENGTH = 200;

    private static final Pattern SEGMENTS = Pattern.compile("[a-z0-9][a-z0-9._-]*(/[a-z0-9][a-z0-9._-]*)*");

    private Keys() {}

    /**
     * Returns the key if it is valid: 1 to 200 characters, segments of lower-case letters, digits, dots, hyphens and
     * underscores that start with a letter or digit, separated by single slashes.
     *
     * @throws IllegalArgumentException when the key is not valid
     */
    public static String check(String key) {
        if (key.length() > MAX_LENGTH || !SEGMENTS.matcher(key).matches()) {
            throw new IllegalArgumentException("metadata key '"
                    + (key.length() > MAX_LENGTH
                            ? key.substring(0, MAX_LENGTH) + "...' of " + key.length() + " characters"
                            : key + "'")
                    + ": allowed are 1 to 200 characters, segments of [a-z0-9._-] that start with a letter or digit,"
                    + " separated by /");
        }
        return key;
    }
}
