package io.berth.core.rpc.component;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.LeaderElection.Leader;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RoleDirectoryComponentTest {

    private static final EndpointName ROLE = EndpointName.RESOURCE_MANAGER;

    private final Election election = new Election();
    private final List<String> notified = new ArrayList<>();

    private RoleDirectoryComponent directory(String fixed) throws Exception {
        RoleDirectoryComponent directory = new RoleDirectoryComponent(new Fixed(fixed), election);
        directory.follow(
                ROLE,
                () -> notified.add(
                        directory.find(ROLE).map(RpcAddress::toString).orElse("nobody")));
        return directory;
    }

    @Test
    void roleIsWhereItsLeaderIsAndNowhereWhileThereIsNone() throws Exception {
        RoleDirectoryComponent directory = directory("");
        assertThat(directory.find(ROLE)).isEmpty();
        election.leads(ROLE, 1, "127.0.0.1:7001");
        election.leads(EndpointName.DISPATCHER, 5, "127.0.0.1:7009");
        assertThat(directory.find(ROLE)).contains(new RpcAddress("127.0.0.1", 7001));
        assertThat(directory.find(EndpointName.DISPATCHER)).contains(new RpcAddress("127.0.0.1", 7009));
        assertThat(directory.find(EndpointName.JOB_MASTERS)).isEmpty();
        election.leads(ROLE, 2, "127.0.0.1:7001");
        election.listeners.get(ROLE.value()).accept(Optional.empty());
        assertThat(notified).containsExactly("127.0.0.1:7001", "127.0.0.1:7001", "nobody");
    }

    @Test
    void configuredAddressOverridesTheLeader() throws Exception {
        RoleDirectoryComponent directory = directory(" 127.0.0.1:7500 ");
        election.leads(ROLE, 1, "127.0.0.1:7001");
        assertThat(directory.find(ROLE)).contains(new RpcAddress("127.0.0.1", 7500));
        notified.clear();
        directory.modified(new Fixed("nowhere"));
        assertThat(notified).isEmpty();
        assertThat(directory.find(ROLE)).contains(new RpcAddress("127.0.0.1", 7500));
        directory.modified(new Fixed(""));
        assertThat(notified).containsExactly("127.0.0.1:7001");
    }

    @Test
    void malformedAddressIsNotUsed() throws Exception {
        RoleDirectoryComponent directory = directory("");
        election.leads(ROLE, 1, "a pigeon");
        assertThat(directory.find(ROLE)).isEmpty();
        assertThatThrownBy(() -> new RoleDirectoryComponent(new Fixed("7077"), election))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("resource.manager.address: address '7077': allowed is HOST:PORT");
    }

    @Test
    void rejectsANameThatIsNotARole() throws Exception {
        RoleDirectoryComponent directory = directory("");
        assertThatThrownBy(() -> directory.find(new EndpointName("worker/w-1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allowed are [dispatcher, resource-manager, job-masters]");
    }

    @Test
    void stopsFollowingWhenDeactivated() throws Exception {
        RoleDirectoryComponent directory = directory("");
        AutoCloseable second = directory.follow(ROLE, () -> notified.add("second"));
        second.close();
        election.leads(ROLE, 1, "127.0.0.1:7001");
        assertThat(notified).containsExactly("127.0.0.1:7001");
        directory.deactivate();
        assertThat(election.listeners).isEmpty();
    }

    private static final class Election implements LeaderElection {

        private final SortedMap<String, Consumer<Optional<Leader>>> listeners = new TreeMap<>();

        @Override
        public AutoCloseable compete(String role, String address, Contender contender) {
            throw new UnsupportedOperationException();
        }

        @Override
        public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
            listeners.put(role, listener);
            return () -> listeners.remove(role);
        }

        void leads(EndpointName role, long epoch, String address) {
            listeners.get(role.value()).accept(Optional.of(new Leader(role.value(), epoch, address)));
        }
    }

    /** Settings with defaults for all other keys. */
    private record Fixed(String resource_manager_address) implements RpcComponent.Settings {

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public String advertised_host() {
            return "";
        }

        @Override
        public int port() {
            return 0;
        }

        @Override
        public long call_deadline_ms() {
            return 10_000;
        }

        @Override
        public long connect_timeout_ms() {
            return 3_000;
        }

        @Override
        public int message_max_bytes() {
            return 4_194_304;
        }

        @Override
        public long channel_idle_ms() {
            return 300_000;
        }

        @Override
        public int connections_max() {
            return 4_096;
        }

        @Override
        public int call_threads() {
            return 3;
        }

        @Override
        public String dispatcher_address() {
            return "";
        }

        @Override
        public String job_masters_address() {
            return "";
        }

        @Override
        public Class<? extends Annotation> annotationType() {
            return RpcComponent.Settings.class;
        }
    }
}
