package io.berth.ops.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StandbyServletTest {

    private static RestResponse answer(Here here, String leader) {
        return StandbyServlet.answer(() -> List.of(
                new RoleDetails("dispatcher", leader, 3, here.label()),
                new RoleDetails("resource-manager", "secret:7077", 4, Here.LEADS.label())));
    }

    @Test
    void saysThatAnotherProcessAnswers() {
        for (Here here : List.of(Here.WAITS, Here.NONE)) {
            RestResponse answer = answer(here, "secret:7077");
            assertThat(answer.status()).isEqualTo(421);
            assertThat(answer.body())
                    .asString()
                    .contains("the dispatcher leads in another one")
                    .doesNotContain("secret");
        }
    }

    @Test
    void saysToTryAgainWhileNobodyLeadsOrTheLeaderRecovers() {
        RestResponse recovers = answer(Here.LEADS, "here:7077");
        assertThat(recovers.status()).isEqualTo(503);
        assertThat(recovers.body()).isEqualTo(Map.of("error", "no dispatcher serves here yet; try again"));
        assertThat(answer(Here.WAITS, "")).isEqualTo(recovers);
    }
}
