package io.berth.simulator.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Network.Reachable;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LeakCheckTest {

    @Test
    void theStateOfEachRoleIsReachedThroughItsObservers() {
        MessageKinds kinds = new MessageKinds();
        World world =
                new World(9, new World.Shape(1, true, 5, 0, 3, false), Optional.empty(), new Coverage(kinds), kinds);
        world.calm(false);

        new Holdings(world).watch(60 * VirtualTime.SECOND);

        Set<String> fields = new TreeSet<>();
        for (Reachable process : world.network.reachable()) {
            fields.addAll(LeakCheck.of(process.rpc()).keySet());
        }
        assertThat(fields)
                .contains("RequirementLedger.jobs", "WorkerRegistry.byId")
                .contains("PooledSlots.slots", "JobHistory.transitions")
                .contains("SlotTable.slots", "FormerAllocations.ends");
    }
}
