package io.berth.spi.ha;

import java.util.Arrays;

/**
 * One version of a record. Two instances with the same content are equal.
 *
 * @param version greater than that of every earlier version of the record; the store counts it, gaps are allowed
 * @param value copied when it is passed in and out
 */
public record Versioned(long version, byte[] value) {

    public Versioned {
        if (version <= MetadataStore.ABSENT) {
            throw new IllegalArgumentException("version " + version + ": allowed are versions from 1");
        }
        value = value.clone();
    }

    @Override
    public byte[] value() {
        return value.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Versioned that && version == that.version && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(version) + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return "version " + version + " of " + value.length + " bytes";
    }
}
