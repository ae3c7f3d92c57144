package io.berth.scaling.schedule;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;
import java.util.Map;

/** The contract with entries for all vertices, and others for one of them. */
class BusyScheduleContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ScheduleFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of(
                "times", "mon-fri 08:00=8, mon-fri 20:00=25%, sat 00:00=1",
                "vertex.vertex-1.times", "00:00=100%",
                "zone", "Europe/Berlin");
    }
}
