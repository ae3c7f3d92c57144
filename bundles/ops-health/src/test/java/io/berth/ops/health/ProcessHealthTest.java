package io.berth.ops.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.ops.health.ProcessHealth.Health;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessHealthTest {

    private static final String DISPATCHER = "dispatcher";
    private static final String RESOURCE_MANAGER = "resource-manager";

    private static RoleDetails role(String name, Here here, String leader) {
        return new RoleDetails(name, leader, leader.isEmpty() ? 0 : 3, here.label());
    }

    private static Health ready(boolean serves, RoleDetails... roles) {
        return ProcessHealth.ready(Optional.of(List.of(roles)), serves);
    }

    private static List<String> leads(boolean serves, RoleDetails role) {
        return ProcessHealth.leader(role.role(), Optional.of(List.of(role)), serves)
                .orElseThrow()
                .problems();
    }

    @Test
    void aProcessWhoseRolesLeadIsReady() {
        assertThat(ready(true, role(DISPATCHER, Here.LEADS, "a:1"), role(RESOURCE_MANAGER, Here.LEADS, "a:1"))
                        .isWell())
                .isTrue();
    }

    @Test
    void aStandbyIsReadyWhileThereIsALeader() {
        assertThat(ready(false, role(RESOURCE_MANAGER, Here.WAITS, "b:1")).isWell())
                .isTrue();
        assertThat(ready(false, role(RESOURCE_MANAGER, Here.WAITS, "")).problems())
                .containsExactly("role resource-manager has no leader");
    }

    @Test
    void aRoleOfOtherProcessesDoesNotCount() {
        assertThat(ready(false, role(DISPATCHER, Here.NONE, ""), role(RESOURCE_MANAGER, Here.LEADS, "a:1"))
                        .isWell())
                .isTrue();
        assertThat(ready(false, role(DISPATCHER, Here.NONE, "a:1")).problems()).containsExactly("no role has started");
        assertThat(ProcessHealth.ready(Optional.empty(), false).problems()).containsExactly("no role has started");
    }

    @Test
    void aDispatcherThatRecoversIsNotReadyAndDoesNotLeadYet() {
        RoleDetails recovers = role(DISPATCHER, Here.LEADS, "a:1");
        assertThat(ready(false, recovers).problems()).containsExactly("role dispatcher recovers its jobs");
        assertThat(leads(false, recovers)).containsExactly("role dispatcher recovers its jobs");
        assertThat(leads(true, recovers)).isEmpty();
        assertThat(leads(false, role(RESOURCE_MANAGER, Here.LEADS, "a:1"))).isEmpty();
    }

    @Test
    void onlyTheLeaderLeads() {
        assertThat(leads(true, role(DISPATCHER, Here.WAITS, "b:1")))
                .containsExactly("this process is a standby for role dispatcher");
        assertThat(leads(true, role(RESOURCE_MANAGER, Here.NONE, "b:1")))
                .containsExactly("this process is no candidate for role resource-manager");
        assertThat(ProcessHealth.leader(DISPATCHER, Optional.empty(), false)
                        .orElseThrow()
                        .isWell())
                .isFalse();
        assertThat(ProcessHealth.leader("cook", Optional.of(List.of(role(DISPATCHER, Here.LEADS, "a:1"))), true))
                .isEmpty();
    }
}
