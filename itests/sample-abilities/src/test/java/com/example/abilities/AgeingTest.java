package com.example.abilities;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;

class AgeingTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new Ageing();
    }
}
