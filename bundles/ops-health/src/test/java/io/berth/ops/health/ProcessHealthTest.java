package io.berth.ops.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.RoleOperations.Here;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessHealthTest {

    private static final String DISPATCHER = "dispatcher";
    private static final String RESOURCE_MANAGER = "resource-manager";

    private static RoleDetails role(String name, Here here, String leader) {
        return new RoleDetails(name, leader, leader.isEmpty() ? 0 : 3, here.label());
    }

    private static List<String> ready(boolean serves, RoleDetails... roles) {
        return ProcessHealth.ready(List.of(roles), serves);
    }

    private static List<String> leads(boolean serves, RoleDetails role) {
        return ProcessHealth.leader(role.role(), List.of(role), serves);
    }

    @Test
    void aProcessWhoseRolesLeadIsReady() {
        assertThat(ready(true, role(DISPATCHER, Here.LEADS, "a:1"), role(RESOURCE_MANAGER, Here.LEADS, "a:1")))
                .isEmpty();
    }

    @Test
    void aStandbyIsReadyWhileALeaderIsKnown() {
        assertThat(ready(false, role(DISPATCHER, Here.WAITS, "b:1"), role(RESOURCE_MANAGER, Here.LEADS, "a:1")))
                .isEmpty();
        assertThat(ready(false, role(DISPATCHER, Here.WAITS, ""), role(RESOURCE_MANAGER, Here.WAITS, "")))
                .containsExactly("role dispatcher has no leader", "role resource-manager has no leader");
    }

    @Test
    void aRoleOfOtherProcessesDoesNotCount() {
        assertThat(ready(false, role(DISPATCHER, Here.NONE, ""), role(RESOURCE_MANAGER, Here.LEADS, "a:1")))
                .isEmpty();
        assertThat(ready(false, role(DISPATCHER, Here.NONE, "a:1"))).containsExactly("no role has started");
        assertThat(ready(false)).containsExactly("no role has started");
    }

    @Test
    void aDispatcherThatHasNotReadItsJobsIsNotReadyAndNoLeader() {
        RoleDetails reads = role(DISPATCHER, Here.LEADS, "a:1");
        assertThat(ready(false, reads)).containsExactly("role dispatcher has not read its jobs");
        assertThat(leads(false, reads)).containsExactly("role dispatcher has not read its jobs");
        assertThat(leads(true, reads)).isEmpty();
        assertThat(leads(false, role(RESOURCE_MANAGER, Here.LEADS, "a:1"))).isEmpty();
    }

    @Test
    void onlyTheLeaderLeads() {
        assertThat(leads(true, role(DISPATCHER, Here.WAITS, "b:1")))
                .containsExactly("this process is a standby for role dispatcher");
        assertThat(leads(true, role(RESOURCE_MANAGER, Here.NONE, "b:1")))
                .containsExactly("this process is no candidate for role resource-manager");
        assertThat(ProcessHealth.leader(DISPATCHER, List.of(), true))
                .containsExactly("this process is no candidate for role dispatcher");
    }

    @Test
    void answersAsJson() {
        HealthServlet servlet = new HealthServlet();
        assertThat(servlet.answer("GET", "/live", Optional.empty()))
                .isEqualTo(new HealthServlet.Answer(200, "{\"status\": \"live\"}\n"));
        assertThat(servlet.answer("GET", "/ready", Optional.empty()))
                .isEqualTo(new HealthServlet.Answer(
                        503, "{\"status\": \"not ready\", \"problems\": [\"no role has started\"]}\n"));
        servlet.setRoles(() -> List.of(
                role(DISPATCHER, Here.WAITS, ""),
                role(RESOURCE_MANAGER, Here.LEADS, "a:1"),
                role("job-masters", Here.WAITS, "")));
        assertThat(servlet.answer("GET", "/leader", Optional.of(RESOURCE_MANAGER)))
                .isEqualTo(new HealthServlet.Answer(200, "{\"status\": \"leads\"}\n"));
        assertThat(servlet.answer("GET", "/leader", Optional.empty()).text())
                .contains("\"not leads\"")
                .contains("standby for role dispatcher");
        assertThat(servlet.answer("GET", "/ready", Optional.empty()).text())
                .contains("[\"role dispatcher has no leader\", \"role job-masters has no leader\"]");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        HealthServlet servlet = new HealthServlet();
        assertThat(servlet.answer("POST", "/live", Optional.empty()).status()).isEqualTo(405);
        assertThat(servlet.answer("GET", "/dead", Optional.empty()))
                .isEqualTo(new HealthServlet.Answer(
                        404,
                        "{\"error\": \"allowed are /health/live, /health/ready and /health/leader?role=ROLE\"}\n"));
        assertThat(servlet.answer("GET", "/leader", Optional.of("a \"cook\"")))
                .isEqualTo(
                        new HealthServlet.Answer(
                                404,
                                "{\"error\": \"role is 'a??cook?': allowed are dispatcher, resource-manager, job-masters\"}\n"));
    }
}
