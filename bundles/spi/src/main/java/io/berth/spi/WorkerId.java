package io.berth.spi;

import java.util.regex.Pattern;

/**
 * Identity of a worker: the process that a TaskExecutor runs in (FLIP-6: ResourceID). A backend chooses it for the
 * workers it starts; a worker started by hand chooses its own.
 *
 * @param value 1 to 120 characters of letters, digits, dots, underscores and hyphens
 */
public record WorkerId(String value) implements Comparable<WorkerId> {

    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,119}");

    public WorkerId {
        if (!ALLOWED.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "worker id '" + value + "': allowed are 1 to 120 letters, digits, dots, underscores and hyphens");
        }
    }

    @Override
    public int compareTo(WorkerId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
