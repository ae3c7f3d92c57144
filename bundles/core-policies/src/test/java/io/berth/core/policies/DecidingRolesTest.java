package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.spi.PolicyKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A choice has no effect in a process that makes no decisions with it, so such a process refuses it. */
class DecidingRolesTest {

    private final DecidingRoles roles = new DecidingRoles();

    private void process(String resourceManager, String jobMasters) {
        roles.found(() -> List.of(
                new RoleDetails("dispatcher", "h:1", 1, "leads"),
                new RoleDetails("resource-manager", "h:2", 1, resourceManager),
                new RoleDetails("job-masters", "h:3", 1, jobMasters)));
    }

    @Test
    void aProcessThatDoesNotDecideRefusesAChoiceAndNamesTheOneThatDecides() {
        process("none", "waits");
        assertThatThrownBy(() -> roles.check(PolicyKind.DISTRIBUTION))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "this process decides nothing by a distribution policy, so a choice here would have no effect:"
                                + " role resource-manager is led by h:2; choose in the shell of that process, with"
                                + " 'berth:policy-use distribution NAME'");
        assertThatThrownBy(() -> roles.check(PolicyKind.SCALING))
                .hasMessageContaining("role job-masters is led by h:3");
        assertThatThrownBy(() -> roles.check(PolicyKind.MATCHING))
                .hasMessageContaining("h:2")
                .hasMessageContaining("h:3");
    }

    @Test
    void aProcessThatDecidesAcceptsChoicesForItsOwnDecisions() {
        process("leads", "none");
        assertThatCode(() -> roles.check(PolicyKind.DISTRIBUTION)).doesNotThrowAnyException();
        assertThatCode(() -> roles.check(PolicyKind.MATCHING)).doesNotThrowAnyException();
        assertThatThrownBy(() -> roles.check(PolicyKind.SCALING)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void acceptsAChoiceWhenNoDecidingProcessIsKnown() {
        assertThatCode(() -> roles.check(PolicyKind.SCALING)).doesNotThrowAnyException();
        RoleOperations unled = () -> List.of(new RoleDetails("job-masters", "", 0, "waits"));
        roles.found(unled);
        assertThatCode(() -> roles.check(PolicyKind.SCALING)).doesNotThrowAnyException();
        process("none", "none");
        roles.lost(unled);
        assertThatThrownBy(() -> roles.check(PolicyKind.SCALING)).isInstanceOf(IllegalArgumentException.class);
    }
}
