package io.berth.runtime.dataflow.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.dataflow.api.Configuration;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import io.berth.runtime.dataflow.TestContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@SuppressWarnings("NullAway.Init")
class SocketSourceTest {

    private ServerSocket server;
    private SplitReader<Text> reader;
    private final TestContext context = new TestContext(0, 1, 1);
    private final List<String> lines = new ArrayList<>();

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws Exception {
        if (reader != null) {
            reader.close();
        }
        server.close();
    }

    private void read(Map<String, String> settings) {
        Map<String, String> all = new TreeMap<>(settings);
        all.put("host", server.getInetAddress().getHostAddress());
        all.put("port", String.valueOf(server.getLocalPort()));
        SocketSource source = new SocketSourceFactory().create(new Configuration("socket-source", all));
        source.open(context);
        assertThat(source.enumerateSplits()).hasSize(1);
        reader = source.read(source.enumerateSplits().get(0));
    }

    private boolean step() throws Exception {
        return reader.step(line -> lines.add(line.toString()));
    }

    private static void send(Socket to, String text) throws IOException {
        to.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        to.getOutputStream().flush();
    }

    private void until(int count) throws Exception {
        while (lines.size() < count) {
            assertThat(step()).isTrue();
        }
    }

    @Test
    void readsLinesInPiecesAndEndsWithTheServer() throws Exception {
        read(Map.of("end", "finish"));
        step();
        try (Socket client = server.accept()) {
            send(client, "one\r\ntw");
            until(1);
            send(client, "o\n\nr\u00e9st");
            until(3);
        }
        while (step()) {
            assertThat(lines).hasSizeLessThan(5);
        }
        assertThat(lines).containsExactly("one", "two", "", "r\u00e9st");
    }

    @Test
    void connectsAgainWhenTheServerIsGoneAndDropsTheLineThatWasCut() throws Exception {
        read(Map.of("retry.min.ms", "1", "retry.max.ms", "5"));
        step();
        try (Socket client = server.accept()) {
            send(client, "one\ncut");
            until(1);
        }
        while (context.counters().getOrDefault("reconnects", 0L) == 0) {
            assertThat(step()).isTrue();
        }
        Thread connecting = new Thread(() -> {
            try (Socket again = server.accept()) {
                send(again, "two\n");
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        connecting.start();
        until(2);
        connecting.join();
        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void aServerThatStallsIsGivenUpAfterTheIdleTime() throws Exception {
        read(Map.of("idle.timeout.ms", "150", "retries", "0"));
        step();
        try (Socket client = server.accept()) {
            send(client, "begun");
            assertThatThrownBy(() -> {
                        while (true) {
                            step();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("nothing came for 150 ms")
                    .hasMessageContaining("allowed are 0");
            assertThat(client.getInputStream().read())
                    .as("the source has closed the connection")
                    .isEqualTo(-1);
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void aServerThatIsNotThereFailsTheTaskAfterTheRetries() throws Exception {
        read(Map.of("retry.min.ms", "1", "retry.max.ms", "2", "retries", "3"));
        server.close();
        assertThatThrownBy(() -> {
                    while (true) {
                        step();
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no lines from 127.0.0.1:" + server.getLocalPort())
                .hasMessageContaining("4 failures in a row");
        assertThat(context.counters()).as("no connection was lost").doesNotContainKey("reconnects");
    }

    /** A server that takes no more connections: the system does not answer further ones. */
    private List<SocketChannel> fill() throws IOException {
        server.close();
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            SocketChannel client = SocketChannel.open();
            client.configureBlocking(false);
            client.connect(server.getLocalSocketAddress());
            clients.add(client);
        }
        return clients;
    }

    @Test
    void aConnectionThatIsNotMadeIsGivenUpAfterItsTimeAndCanBeCanceled() throws Exception {
        List<SocketChannel> clients = fill();
        try {
            read(Map.of("connect.timeout.ms", "200", "retries", "0"));
            assertThat(step()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(this::step).isInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isFalse();
            assertThatThrownBy(() -> {
                        while (true) {
                            step();
                        }
                    })
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no connection within 200 ms");
        } finally {
            for (SocketChannel client : clients) {
                client.close();
            }
        }
    }

    @Test
    void theLastLineHasNoHalfOfItsEnd() throws Exception {
        read(Map.of("end", "finish"));
        step();
        try (Socket client = server.accept()) {
            send(client, "one\r\ntwo\r");
            until(1);
        }
        while (step()) {
            assertThat(lines).hasSizeLessThan(3);
        }
        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void aLineThatIsTooLongIsRefused() throws Exception {
        read(Map.of("line.bytes", "20"));
        step();
        try (Socket client = server.accept()) {
            send(client, "x".repeat(20) + "\r\n");
            until(1);
            send(client, "x".repeat(200));
            assertThatThrownBy(() -> until(2)).hasMessageContaining("longer than 20 bytes; raise line.bytes");
        }
    }

    @Test
    void wrongSettingsAreRefusedByName() {
        assertThatThrownBy(
                        () -> new SocketSourceFactory().create(new Configuration("socket-source", Map.of("host", "h"))))
                .hasMessageContaining("port is not set; allowed: a whole number from 1 to 65535");
        assertThatThrownBy(() -> new SocketSourceFactory()
                        .create(new Configuration(
                                "socket-source",
                                Map.of("host", "h", "port", "1", "retry.min.ms", "50", "retry.max.ms", "20"))))
                .hasMessageContaining("retry.max.ms is '20'; allowed: at least retry.min.ms, 50");
    }
}
