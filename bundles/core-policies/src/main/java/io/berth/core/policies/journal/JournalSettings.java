package io.berth.core.policies.journal;

import java.nio.file.Path;

/**
 * How decisions are recorded.
 *
 * @param on whether they are
 * @param folder of the files
 * @param mebibytes what the files may have together
 */
public record JournalSettings(boolean on, Path folder, int mebibytes) {

    public static final int MAX_MEBIBYTES = 1 << 20;

    public JournalSettings {
        if (mebibytes < 1 || mebibytes > MAX_MEBIBYTES) {
            throw new IllegalArgumentException(
                    "decisions.journal.mib is " + mebibytes + ": 1 to " + MAX_MEBIBYTES + " is allowed");
        }
    }

    long bytes() {
        return (long) mebibytes << 20;
    }
}
