package io.berth.policy.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.policy.rules.labels.LabelRules;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecsCheckTest {

    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    @Test
    void moreSpecsThanAllowedAreRefused() {
        List<WorkerSpec> many = new ArrayList<>();
        for (int i = 0; i <= SpecsCheck.MAX_SPECS; i++) {
            many.add(WorkerSpec.of("s" + i, SIZE).build());
        }
        assertThatThrownBy(() -> SpecsCheck.copy(many)).hasMessage("offers more than 100 specs");
        assertThat(SpecsCheck.copy(many.subList(0, 100))).hasSize(100);
    }

    @Test
    void labelsThatCouldNotBeGivenToAWorkerAreRefused() {
        assertThatThrownBy(() ->
                        SpecsCheck.copy(List.of(spec().label("berth.spec", "x").build())))
                .hasMessageContaining("offers spec s with the label key 'berth.spec': allowed are");
        assertThatThrownBy(
                        () -> SpecsCheck.copy(List.of(spec().taint("-gpu", "x").build())))
                .hasMessageContaining("offers spec s with the taint key '-gpu': allowed are");
        assertThatThrownBy(
                        () -> SpecsCheck.copy(List.of(spec().label("zone", " ").build())))
                .hasMessageContaining("offers spec s with a value of label zone of 1 characters");
        WorkerSpec.Builder many = spec();
        for (int number = 0; number <= LabelRules.MAX_LABELS; number++) {
            many.label("key-" + number, "x");
        }
        assertThatThrownBy(() -> SpecsCheck.copy(List.of(many.build())))
                .hasMessage("offers spec s with 65 labels: at most 64 are allowed");
        WorkerSpec right = spec().label("zone", "eu-1").taint("gpu", "v100").build();
        assertThat(SpecsCheck.copy(List.of(right))).containsExactly(right);
    }

    private static WorkerSpec.Builder spec() {
        return WorkerSpec.of("s", SIZE);
    }
}
