package io.berth.runtime.dataflow.files;

import java.util.OptionalLong;

/** How long lines are on average, to estimate how many are left. Confined to the thread of the task. */
public final class LineLengths {

    private long lines;
    private long bytes;

    /** A line was read. */
    public void add(long length) {
        lines++;
        bytes += length;
    }

    /** About how many lines there are in so many bytes; empty until a line was read. */
    public OptionalLong linesIn(long length) {
        if (length <= 0) {
            return OptionalLong.of(0);
        }
        return lines == 0
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(1, Math.round((double) length * lines / bytes)));
    }
}
