package io.berth.core.api;

import java.util.regex.Pattern;

/**
 * A bundle of user code, by content.
 *
 * @param sha256 64 lowercase hexadecimal digits
 * @param size in bytes
 */
public record BundleRef(String sha256, long size) implements Comparable<BundleRef> {

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    public BundleRef {
        if (!HASH.matcher(sha256).matches()) {
            throw new IllegalArgumentException(
                    "bundle hash '" + sha256 + "': allowed are 64 hexadecimal digits in lower case");
        }
        if (size < 0) {
            throw new IllegalArgumentException("bundle size is " + size + ": at least 0 is allowed");
        }
    }

    @Override
    public int compareTo(BundleRef other) {
        return sha256.compareTo(other.sha256);
    }

    @Override
    public String toString() {
        return sha256.substring(0, 12);
    }
}
