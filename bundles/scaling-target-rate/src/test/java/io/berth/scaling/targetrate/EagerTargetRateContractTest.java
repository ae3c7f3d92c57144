package io.berth.scaling.targetrate;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;
import java.util.Map;

/** The contract without pauses, so that most random states lead to a change. */
class EagerTargetRateContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new TargetRateFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("settle", "0", "pause.down", "0", "max.step.up", "100", "interval", "1 min");
    }
}
