package io.berth.distribution.drf;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import java.util.Map;

class DrfBetweenSubmittersContractTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new DrfFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("fair.between", "submitters", "hold.after", "0", "hold.all.after", "1 min");
    }
}
