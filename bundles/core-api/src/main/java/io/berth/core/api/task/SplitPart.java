package io.berth.core.api.task;

import java.util.List;

/**
 * A part of the list of splits of a source vertex. The whole list may be too long for one message.
 *
 * @param from number of splits in the previous parts
 * @param last whether this is the last part
 */
public record SplitPart(int from, List<byte[]> splits, boolean last) {

    public SplitPart {
        splits = List.copyOf(splits);
    }
}
