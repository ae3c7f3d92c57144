package io.berth.scaling.reactive;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class ReactiveContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ReactiveFactory();
    }
}
