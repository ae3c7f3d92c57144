package com.example.abilities;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class ByRatesTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ByRates();
    }
}
