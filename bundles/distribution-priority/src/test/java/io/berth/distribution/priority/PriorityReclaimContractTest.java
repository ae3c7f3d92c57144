package io.berth.distribution.priority;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import java.util.Map;

class PriorityReclaimContractTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new PriorityFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("reclaim", "true", "hold.after", "0", "aging.interval", "1 s");
    }
}
