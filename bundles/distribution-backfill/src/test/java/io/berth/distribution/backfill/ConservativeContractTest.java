package io.berth.distribution.backfill;

import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import java.util.Map;

class ConservativeContractTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        return new BackfillFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("reservations", "all", "promise.after", "0", "order", "shortest-first", "unknown.runtime", "1 h");
    }
}
