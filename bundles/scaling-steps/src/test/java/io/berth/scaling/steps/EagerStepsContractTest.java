package io.berth.scaling.steps;

import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.testkit.ScalingPolicyContract;
import java.util.Map;

/** The contract without pauses and with steps of tasks, so that most random states lead to a change. */
class EagerStepsContractTest implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new StepsFactory();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("pause.up", "0", "pause.down", "0", "step", "3", "vertex.vertex-1.busy.down", "0.5");
    }
}
