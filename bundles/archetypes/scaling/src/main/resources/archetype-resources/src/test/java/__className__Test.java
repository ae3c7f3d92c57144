package ${package};

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import io.berth.testkit.ArrayJobView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedParallelism;
import io.berth.testkit.ScalingPolicyContract;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules that all scaling policies must keep, and what this one desires. */
class ${className}Test implements ScalingPolicyContract {

    @Override
    public ScalingPolicyFactory factory() {
        return new ${className}();
    }

    @Test
    void aVertexShouldRunAtTheShareOfItsMaximumAndNotBelowItsMinimum() throws InvalidConfigurationException {
        // Slot sharing group, minimum, what the job desires, maximum.
        ArrayJobView job = new ArrayJobView(2).vertex(0, 1, 1, 20).vertex(1, 8, 8, 10);
        PolicyConfiguration configuration = FixedConfiguration.of(factory().describe(), Map.of("share", "25 %"));
        RecordedParallelism result = new RecordedParallelism(job);
        try (ScalingSession session =
                factory().create(configuration, FixedContext.of("job job")).open(job)) {
            session.desire(result);
        }
        assertThat(result.values()).containsExactly(5, 8);
    }
}
