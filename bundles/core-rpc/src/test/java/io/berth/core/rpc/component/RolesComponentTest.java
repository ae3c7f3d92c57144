package io.berth.core.rpc.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.role.RoleCandidate;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RolesComponentTest {

    private final SortedMap<EndpointName, RpcAddress> served = new TreeMap<>();
    private final SortedMap<String, Consumer<Optional<LeaderElection.Leader>>> listeners = new TreeMap<>();
    private final RolesComponent roles = new RolesComponent(new Directory(), new Election());

    private void leads(EndpointName role, long epoch, String address) {
        served.put(role, RpcAddress.parse(address));
        listeners.get(role.value()).accept(Optional.of(new LeaderElection.Leader(role.value(), epoch, address)));
    }

    private RoleDetails role(EndpointName role) {
        return roles.roles().stream()
                .filter(each -> each.role().equals(role.value()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsWhoLeadsEachRoleAndWhatThisProcessDoes() {
        leads(EndpointName.DISPATCHER, 41, "127.0.0.1:7077");
        leads(EndpointName.RESOURCE_MANAGER, 7, "127.0.0.1:7078");
        roles.addCandidate(new Candidate(EndpointName.DISPATCHER, true));
        RoleCandidate waiting = new Candidate(EndpointName.RESOURCE_MANAGER, false);
        roles.addCandidate(waiting);
        assertThat(roles.roles())
                .containsExactly(
                        new RoleDetails("dispatcher", "127.0.0.1:7077", 41, "leads"),
                        new RoleDetails("resource-manager", "127.0.0.1:7078", 7, "waits"),
                        new RoleDetails("job-masters", "", 0, "none"));
        roles.removeCandidate(waiting);
        assertThat(role(EndpointName.RESOURCE_MANAGER).here()).isEqualTo("none");
    }

    @Test
    void forgetsALeaderThatGaveTheRoleUp() {
        leads(EndpointName.JOB_MASTERS, 7, "127.0.0.1:7078");
        served.clear();
        listeners.get("job-masters").accept(Optional.empty());
        assertThat(role(EndpointName.JOB_MASTERS)).isEqualTo(new RoleDetails("job-masters", "", 0, "none"));
    }

    @Test
    void showsAConfiguredAddressWithoutTheEpochOfAnotherLeader() {
        leads(EndpointName.JOB_MASTERS, 7, "127.0.0.1:7078");
        served.put(EndpointName.JOB_MASTERS, RpcAddress.parse("127.0.0.1:7500"));
        assertThat(role(EndpointName.JOB_MASTERS))
                .isEqualTo(new RoleDetails("job-masters", "127.0.0.1:7500", 0, "none"));
    }

    @Test
    void endsItsFollowingWhenDeactivated() {
        assertThat(listeners).hasSize(3);
        roles.deactivate();
        assertThat(listeners).isEmpty();
    }

    private record Candidate(EndpointName role, boolean leads) implements RoleCandidate {}

    private final class Directory implements RoleDirectory {

        @Override
        public Optional<RpcAddress> find(EndpointName role) {
            return Optional.ofNullable(served.get(role));
        }

        @Override
        public AutoCloseable follow(EndpointName role, Runnable changed) {
            throw new UnsupportedOperationException();
        }
    }

    private final class Election implements LeaderElection {

        @Override
        public AutoCloseable compete(String role, String address, Contender contender) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
            listeners.put(role, listener);
            return () -> listeners.remove(role);
        }
    }
}
