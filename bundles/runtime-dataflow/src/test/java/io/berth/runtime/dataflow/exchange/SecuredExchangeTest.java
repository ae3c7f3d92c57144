package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.readAll;
import static io.berth.runtime.dataflow.exchange.ExchangeHarness.writer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.security.ClusterSecurity;
import io.berth.core.security.LiveCredentials;
import io.berth.core.security.fake.TestAuthority;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All that an exchange does, with TLS; and who is not let in. */
class SecuredExchangeTest extends ExchangeTest {

    /** The first handshake of a process takes a while. */
    private static final ExchangeSettings SETTINGS = new ExchangeSettings(8 << 20, 4, 500, 20_000, 5_000);

    @TempDir
    private Path folder;

    private final SystemTimers timers = new SystemTimers("test-credentials");
    private final List<AutoCloseable> open = new ArrayList<>();
    private final TestAuthority authority;

    SecuredExchangeTest() throws Exception {
        authority = new TestAuthority(Instant.now());
    }

    @Override
    Exchange exchange(String worker) throws Exception {
        return exchange(authority, worker, authority.issue("spiffe://main/worker/" + worker));
    }

    private Exchange exchange(TestAuthority by, String worker, TestAuthority.Issued issued) throws Exception {
        LiveCredentials credentials =
                LiveCredentials.open(by.write(folder.resolve(worker), issued), timers, new SystemClock());
        Exchange exchange = new Exchange(worker, SETTINGS, 1, "127.0.0.1", ClusterSecurity.by(credentials));
        open.add(exchange);
        open.add(credentials);
        return exchange;
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        timers.close();
    }

    private void assertRefused(Exchange stranger, String reason) throws Exception {
        one.createPartition(partition(0), 1);
        InputGate gate = stranger.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageContaining(reason);
        gate.close();
    }

    @Test
    void aWorkerOfAnotherAuthorityIsRefused() throws Exception {
        TestAuthority foreign = new TestAuthority(Instant.now());
        foreign.alsoTrusts(authority);
        assertRefused(exchange(foreign, "three", foreign.issue("spiffe://main/worker/three")), "certificate_unknown");
    }

    @Test
    void aWorkerThatSaysItIsAnotherIsRefused() throws Exception {
        assertRefused(
                exchange(authority, "three", authority.issue("spiffe://main/worker/four")),
                "connection closed by the peer");
    }

    @Test
    void aControlPlaneIsNoWorker() throws Exception {
        assertRefused(
                exchange(authority, "three", authority.issue("spiffe://main/control-plane/three")),
                "connection closed by the peer");
    }

    @Test
    void aWorkerWithoutTlsIsRefused() throws Exception {
        try (Exchange plain = new Exchange("plain", ExchangeHarness.quick(), 1)) {
            assertRefused(plain, "connection closed by the peer");
        }
    }

    @Test
    void anOpenConnectionEndsWhenItsPeerIsRevoked() throws Exception {
        TestAuthority.Issued issued = authority.issue("spiffe://main/worker/three");
        Exchange three = exchange(authority, "three", issued);
        RecordWriter<byte[]> writer = writer(one.createPartition(partition(0), 1), Partitioning.FORWARD);
        InputGate gate = three.createGate(List.of(new Origin(partition(0), 0, one.address())));
        gate.open();
        writer.collector().collect(new byte[100]);
        writer.flush();
        AtomicInteger received = new AtomicInteger();
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> {
            gate.read(TimeUnit.SECONDS.toNanos(1), new InputGate.Reader() {
                @Override
                public void buffer(int channel, NetworkBuffer buffer) {
                    received.incrementAndGet();
                }

                @Override
                public void end(int channel) {}
            });
            return received.get() > 0;
        });
        authority.revoke(folder.resolve("one"), List.of(issued));
        assertThatThrownBy(() -> readAll(gate))
                .isInstanceOf(ExchangeException.class)
                .hasMessageContaining("connection closed by the peer");
        gate.close();
    }

    @Test
    void otherAddressesThanLoopbackNeedCertificates() {
        assertThatThrownBy(() -> new Exchange("plain", ExchangeHarness.quick(), 1, "0.0.0.0", ClusterSecurity.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("host '0.0.0.0': allowed is a loopback address");
        assertThat(one.address()).startsWith("127.0.0.1:");
    }
}
