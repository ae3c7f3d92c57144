package io.berth.scaling.schedule;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;

class ScheduleContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ScheduleFactory();
    }
}
