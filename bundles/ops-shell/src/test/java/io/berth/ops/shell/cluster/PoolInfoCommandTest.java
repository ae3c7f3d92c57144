package io.berth.ops.shell.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterDetails.SpecDetails;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.policy.PoolDefinition;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolInfoCommandTest {

    private static PoolDetails pool(SortedMap<String, PolicyChoice> policies, Map<String, String> obstacles) {
        return new PoolDetails(
                "gpu",
                0,
                0,
                List.of(),
                0,
                "",
                "",
                policies,
                new TreeMap<>(),
                new TreeMap<>(obstacles),
                PoolDefinition.Limits.NONE,
                true);
    }

    @Test
    void namesThePolicyOfTheFileAndWhyItDoesNotDecide() {
        SortedMap<String, PolicyChoice> policies =
                new TreeMap<>(Map.of("matching", new PolicyChoice("spread", new TreeMap<>(Map.of("window", "5")))));
        assertThat(PoolInfoCommand.policies(pool(policies, Map.of("file", "is invalid"))))
                .containsExactly("Policy for matching: spread {window=5}");
        assertThat(PoolInfoCommand.policies(pool(policies, Map.of("matching", "is not there: first-fit decides"))))
                .containsExactly("Policy for matching: spread {window=5}, which is not there: first-fit decides");
    }

    @Test
    void showsTheSpecsOfThePoolOnly() {
        SpecDetails spec = new SpecDetails("local", "gpu", "{2 cpu}", 2, 1, 4, 0.25, 2_100, 3);
        List<PoolFigures> figures = List.of(
                new PoolFigures("default", 0, 0, 0, 0, 0, 0),
                new PoolFigures("gpu", 1, 0, 0, 0, 0, 0).withSpecs(List.of(spec)));
        assertThat(PoolInfoCommand.specs(figures, "gpu")).containsExactly(spec);
        assertThat(PoolInfoCommand.specs(figures, "default")).isEmpty();
        assertThat(PoolInfoCommand.specs(figures, "unknown")).isEmpty();
    }

    @Test
    void saysWhyTheCommonPolicyDoesNotDecideForThePool() {
        assertThat(PoolInfoCommand.policies(
                        pool(new TreeMap<>(), Map.of("distribution", "does not decide (quarantined for pool gpu: x)"))))
                .containsExactly(
                        "Policy for distribution: the common one, which does not decide (quarantined for pool gpu: x)");
        assertThat(PoolInfoCommand.policies(pool(new TreeMap<>(), Map.of()))).isEmpty();
    }
}
