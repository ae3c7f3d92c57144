package io.berth.core.scheduler.peers;

import io.berth.core.api.ResourceManagerId;
import java.util.Optional;

/**
 * Separates new lists of blocked workers from copies and late ones, which would block or unblock a worker wrongly.
 * Confined to the main thread of the job.
 */
public final class BlockedWorkers {

    private Optional<ResourceManagerId> sender = Optional.empty();
    private long last;

    /**
     * Whether the list is newer than all before it from this ResourceManager and older ones; records it. Must be
     * called for each list, also for one that is ignored for another reason.
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
