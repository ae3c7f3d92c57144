package io.berth.scaling.targetrate;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class TargetRateContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new TargetRateFactory();
    }
}
