package io.berth.core.scheduler.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.FencingToken;
import io.berth.core.api.ResourceManagerId;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class BlockedWorkersTest {

    private final BlockedWorkers blocked = new BlockedWorkers();

    private static ResourceManagerId resourceManager(long epoch) {
        return new ResourceManagerId(new FencingToken(epoch, new UUID(0, epoch)));
    }

    @Test
    void aBlocklistCountsOnceAndNotAfterANewerOne() {
        assertThat(blocked.isNewer(resourceManager(1), 4)).isTrue();
        assertThat(blocked.isNewer(resourceManager(1), 4)).isFalse();
        assertThat(blocked.isNewer(resourceManager(1), 1)).isFalse();
        assertThat(blocked.isNewer(resourceManager(1), 5)).isTrue();
    }

    @Test
    void aBlocklistOfThePreviousResourceManagerDoesNotResetTheNumber() {
        assertThat(blocked.isNewer(resourceManager(2), 7)).isTrue();
        assertThat(blocked.isNewer(resourceManager(1), 50)).isFalse();
        assertThat(blocked.isNewer(resourceManager(2), 7)).isFalse();
        assertThat(blocked.isNewer(resourceManager(3), 1)).isTrue();
    }
}
