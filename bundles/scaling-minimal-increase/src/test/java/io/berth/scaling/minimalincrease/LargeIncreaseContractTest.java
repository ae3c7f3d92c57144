package io.berth.scaling.minimalincrease;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;
import java.util.Map;

/** The contract with a threshold that most changes of its jobs do not reach. */
class LargeIncreaseContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new MinimalIncreaseFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("increase", "5", "cooldown", "2 s", "small.increase.after", "4 s");
    }
}
