package io.berth.core.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.security.ClusterSecurity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RpcConfigTest {

    @ParameterizedTest
    @CsvSource({
        "no.such.host.invalid, '', 1, me, 1, 1, 65536, 1, 16, 1, host",
        "0.0.0.0, '', 1, me, 1, 1, 65536, 1, 16, 1, advertised.host",
        "'', '', 1, me, 1, 1, 65536, 1, 16, 1, host",
        "127.0.0.1, '', 65536, me, 1, 1, 65536, 1, 16, 1, port",
        "127.0.0.1, '', -1, me, 1, 1, 65536, 1, 16, 1, port",
        "127.0.0.1, '', 1, ' ', 1, 1, 65536, 1, 16, 1, identity",
        "127.0.0.1, '', 1, me, 0, 1, 65536, 1, 16, 1, call.deadline.ms",
        "127.0.0.1, '', 1, me, 1, 0, 65536, 1, 16, 1, connect.timeout.ms",
        "127.0.0.1, '', 1, me, 1, 1, 1000, 1, 16, 1, message.max.bytes",
        "127.0.0.1, '', 1, me, 1, 1, 65536, 0, 16, 1, channel.idle.ms",
        "127.0.0.1, '', 1, me, 1, 1, 65536, 1, 15, 1, connections.max",
        "127.0.0.1, '', 1, me, 1, 1, 65536, 1, 16, 0, call.threads"
    })
    void refusesWhatIsNotAllowedAndNamesIt(
            String host,
            String advertised,
            int port,
            String identity,
            long deadline,
            long connect,
            int size,
            long idle,
            int connections,
            int threads,
            String field) {
        assertThatThrownBy(() -> new RpcConfig(
                        host, advertised, port, identity, deadline, connect, size, idle, connections, threads))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(field + " is '")
                .hasMessageContaining("allowed");
    }

    @Test
    void returnsWhetherAChangeIsInEffect() {
        try (RunningRpc rpc = RpcServices.start(RpcConfig.defaults("me"), ClusterSecurity.NONE)) {
            assertThat(rpc.reconfigure(RpcConfig.defaults("me").withCallDeadlineMillis(5)))
                    .isTrue();
            assertThat(rpc.reconfigure(RpcConfig.defaults("me").withPort(7077))).isFalse();
            assertThat(rpc.reconfigure(RpcConfig.defaults("me").withMessageMaxBytes(70_000)))
                    .isFalse();
        }
    }
}
