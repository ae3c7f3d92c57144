package io.berth.worker;

import io.berth.core.api.ResourceManagerId;
import java.util.Optional;

/**
 * Messages that each replace the one before. Each ResourceManager counts its own; they may arrive in another order.
 * Confined to the main thread of the TaskExecutor.
 */
final class NumberedMessages {

    private Optional<ResourceManagerId> sender = Optional.empty();
    private long last;

    /** Whether no later message of the same ResourceManager has arrived before. Then this one is the last. */
    boolean isNews(ResourceManagerId from, long number) {
        if (sender.filter(from::equals).isPresent() && number <= last) {
            return false;
        }
        sender = Optional.of(from);
        last = number;
        return true;
    }
}
