package com.example.abilities;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class ByClockTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ByClock();
    }
}
