package io.berth.scaling.steps;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class StepsContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new StepsFactory();
    }
}
