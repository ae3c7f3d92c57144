package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.PolicyOperations.ChoiceDetails;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyKind;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A choice whose policy was uninstalled says so wherever it is shown. */
class UninstalledChoiceTest {

    private final Bench bench = new Bench().withDefaults();

    @AfterEach
    void end() {
        bench.close();
    }

    private ChoiceDetails matching() {
        return bench.platform.choices().get(0);
    }

    @Test
    void theListOfChoicesNamesThePolicyThatDecidesInItsPlace() {
        FakeRegistration best =
                bench.add(PolicyKind.MATCHING, "best-fit", 0, Bench.placing("best-fit", Bench.LEAVES_OUT));
        bench.awaitState("best-fit", "ready");
        bench.platform.use(PolicyKind.MATCHING, "best-fit");
        assertThat(matching().line()).isEqualTo("chosen: matching best-fit (index 1)");
        bench.platform.registry().remove(best.id());
        assertThat(matching().line())
                .isEqualTo("chosen: matching best-fit (index 1), which is not there: first-fit decides in its place");
        bench.platform.use(PolicyKind.MATCHING, "");
        assertThat(matching().line()).isEqualTo("chosen: matching by ranking (index 2)");
        assertThatThrownBy(() -> bench.platform.revert(PolicyKind.MATCHING, OptionalLong.empty(), "anna"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the choice before was 'best-fit', which is not installed: installed are first-fit, spread;"
                        + " install it again, or 'policy use matching NAME' chooses another");
        assertThat(matching().index()).isEqualTo(2);
    }
}
