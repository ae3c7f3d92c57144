package io.berth.spi;

import java.util.regex.Pattern;

/**
 * Identity of a submitted job, unique over the life of a cluster.
 *
 * @param value 1 to 80 characters of lower-case letters, digits and hyphens
 */
public record JobId(String value) implements Comparable<JobId> {

    private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9-]{0,79}");

    public JobId {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "job id '" + value + "': allowed are 1 to 80 lower-case letters, digits and hyphens");
        }
    }

    @Override
    public int compareTo(JobId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
