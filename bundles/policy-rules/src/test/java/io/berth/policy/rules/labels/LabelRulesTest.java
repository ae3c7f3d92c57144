package io.berth.policy.rules.labels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LabelRulesTest {

    @Test
    void aLabelThatIsMissingIsInNoList() {
        assertThat(LabelRules.in(null, List.of("a"))).isFalse();
        assertThat(LabelRules.notIn(null, List.of("a"))).isTrue();
        assertThat(LabelRules.in("a", List.of("b", "a"))).isTrue();
        assertThat(LabelRules.notIn("a", List.of("b", "a"))).isFalse();
    }

    @Test
    void onlyNumbersAreGreater() {
        assertThat(LabelRules.greater("8.5", "8")).isTrue();
        assertThat(LabelRules.greater("-1", "-2")).isTrue();
        assertThat(LabelRules.greater("8", "8.0")).isFalse();
        assertThat(LabelRules.greater("1e9", "8")).isFalse();
        assertThat(LabelRules.greater("9".repeat(33), "8")).isFalse();
        assertThat(LabelRules.greater(null, "8")).isFalse();
    }

    @Test
    void oneValueOrAllValuesOfATaintAreTolerated() {
        TreeMap<String, String> taints = new TreeMap<>(Map.of("disk", "slow", "gpu", "v100"));
        assertThat(LabelRules.notTolerated(taints, Map.of())).hasValue("disk");
        assertThat(LabelRules.notTolerated(taints, Map.of("disk", ""))).hasValue("gpu");
        assertThat(LabelRules.notTolerated(taints, Map.of("disk", "", "gpu", "a100")))
                .hasValue("gpu");
        assertThat(LabelRules.notTolerated(taints, Map.of("disk", "slow", "gpu", "v100")))
                .isEmpty();
    }
}
