package io.berth.scaling.minimalincrease;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class MinimalIncreaseContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new MinimalIncreaseFactory();
    }
}
