package com.example.abilities;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;

class EqualTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new Equal();
    }
}
