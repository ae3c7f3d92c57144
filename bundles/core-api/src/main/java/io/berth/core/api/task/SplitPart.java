package io.berth.core.api.task;

import java.util.List;

/**
 * A part of the list of splits of a source vertex, which may be longer than a message.
 *
 * @param from how many splits are in the parts before
 * @param last whether no part follows
 */
public record SplitPart(int from, List<byte[]> splits, boolean last) {

    public SplitPart {
        splits = List.copyOf(splits);
    }
}
