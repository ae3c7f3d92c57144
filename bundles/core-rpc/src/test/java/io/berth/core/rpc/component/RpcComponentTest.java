package io.berth.core.rpc.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.time.Timers;
import io.berth.core.rpc.RpcServices;
import io.berth.core.security.ClusterSecurity;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RpcComponentTest {

    private final List<RpcService> offered = new ArrayList<>();
    private final Attempts attempts = new Attempts();
    private RpcComponent component;

    /** The next attempt, which the test starts. */
    private static final class Attempts implements Timers, AutoCloseable {

        private final List<Runnable> actions = new ArrayList<>();

        @Override
        public Cancellable schedule(long delayMillis, Runnable action) {
            actions.add(action);
            return () -> {};
        }

        void next() {
            actions.remove(0).run();
        }

        @Override
        public void close() {}
    }

    private void activate(int port) {
        component = new RpcComponent(
                new Configuration(port),
                config -> RpcServices.start(config, ClusterSecurity.NONE),
                rpc -> {
                    offered.add(rpc);
                    return () -> offered.remove(rpc);
                },
                attempts);
    }

    @AfterEach
    void deactivate() {
        component.deactivate();
        assertThat(offered).isEmpty();
    }

    private static ServerSocket taken() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
    }

    @Test
    void listensAsSoonAsThePortIsFree() throws IOException {
        int port;
        try (ServerSocket other = taken()) {
            port = other.getLocalPort();
            activate(port);
            attempts.next();
            assertThat(offered).isEmpty();
        }
        attempts.next();
        assertThat(offered)
                .singleElement()
                .satisfies(rpc -> assertThat(rpc.address().port()).isEqualTo(port));
        assertThat(attempts.actions).isEmpty();
    }

    @Test
    void listensAtOnceWhenAnotherPortIsConfigured() throws IOException {
        try (ServerSocket other = taken()) {
            activate(other.getLocalPort());
            component.modified(new Configuration(0));
            assertThat(offered).hasSize(1);
            attempts.next();
            assertThat(offered).as("the old port is not tried again").hasSize(1);
            assertThat(attempts.actions).isEmpty();
        }
    }

    @Test
    void invalidConfigurationIsNotAppliedAndAValidPortIs() {
        activate(70_000);
        assertThat(offered).isEmpty();
        component.modified(new Configuration(0));
        assertThat(offered).hasSize(1);
    }

    @Test
    void doesNotTryAgainAfterItsEnd() throws IOException {
        try (ServerSocket other = taken()) {
            activate(other.getLocalPort());
            component.deactivate();
        }
        attempts.next();
        assertThat(attempts.actions).isEmpty();
    }

    private record Configuration(int port) implements RpcComponent.Settings {

        @Override
        public String host() {
            return "127.0.0.1";
        }

        @Override
        public String advertised_host() {
            return "";
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
        public String resource_manager_address() {
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
