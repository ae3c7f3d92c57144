package io.berth.core.policies.backends;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.policies.Bench;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpecsCheckTest {

    @Test
    void moreSpecsThanAllowedAreRefused() {
        List<WorkerSpec> many = new ArrayList<>();
        for (int i = 0; i <= SpecsCheck.MAX_SPECS; i++) {
            many.add(new WorkerSpec("s" + i, Bench.SIZE, 1, 1));
        }
        assertThatThrownBy(() -> SpecsCheck.copy(many)).hasMessage("offers more than 100 specs");
        assertThat(SpecsCheck.copy(many.subList(0, 100))).hasSize(100);
    }
}
