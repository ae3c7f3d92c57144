package io.berth.core.policies.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.registry.HostSettings;
import io.berth.spi.PolicyKind;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class AbandonedCallsTest {

    @Test
    void costABundleNoMoreThreadsThanAreAllowed() {
        World world = new World(1, false, frame -> {});
        PolicyPlatform platform = world.host(bundle -> new TreeMap<>(), HostSettings.defaults());
        Actor actor = new Actor(1, PolicyKind.MATCHING, "p0", "b0", new Random(1), world, new Happenings(), false);
        for (int call = 0; call < 20; call++) {
            platform.guard().call(actor, PolicyCall.PLACE, CallDeadline.of(100), () -> {
                world.stay(world.frame(), Long.MAX_VALUE, false);
                return true;
            });
        }
        world.drain();
        // One call more than allowed may have been running when the last one was abandoned.
        assertThat(world.mostAbandoned("b0"))
                .isBetween(SequenceModel.MAX_ABANDONED, SequenceModel.MAX_ABANDONED + World.LANE_THREADS - 1);
        assertThat(platform.guard().abandoned()).isZero();
    }
}
