package io.berth.core.scheduler;

import io.berth.core.api.ResourceManagerId;
import java.util.Optional;

/**
 * Tells lists of blocked workers that are to be heeded from copies and late ones: else such a one would block a worker again
 * that takes slots by now, or lift a block. For the main thread of the job.
 */
final class BlockedWorkers {

    private Optional<ResourceManagerId> sender = Optional.empty();
    private long last;

    /** Whether the list is newer than all before it of that ResourceManager; notes it. */
    boolean isNewer(ResourceManagerId resourceManager, long number) {
        boolean same = sender.filter(resourceManager::equals).isPresent();
        if (same && number <= last) {
            return false;
        }
        sender = Optional.of(resourceManager);
        last = number;
        return true;
    }
}
