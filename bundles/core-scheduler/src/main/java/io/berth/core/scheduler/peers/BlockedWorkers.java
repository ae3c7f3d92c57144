package io.berth.core.scheduler.peers;

import io.berth.core.api.ResourceManagerId;
import java.util.Optional;

/**
 * Tells lists of blocked workers that are to be heeded from copies and late ones: else such a one would block a worker again
 * that takes slots by now, or lift a block. For the main thread of the job.
 */
public final class BlockedWorkers {

    private Optional<ResourceManagerId> sender = Optional.empty();
    private long last;

    /**
     * Whether the list is newer than all before it, of that ResourceManager and of older ones; notes it. To be asked of
     * each list, also of one that does not count for another reason: those before it count even less.
     */
    public boolean isNewer(ResourceManagerId resourceManager, long number) {
        int order = sender.map(before -> resourceManager.token().compareTo(before.token()))
                .orElse(1);
        if (order < 0 || order == 0 && number <= last) {
            return false;
        }
        sender = Optional.of(resourceManager);
        last = number;
        return true;
    }
}
