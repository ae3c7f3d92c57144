package io.berth.runtime.dataflow.exchange;

import static io.berth.runtime.dataflow.exchange.ExchangeHarness.partition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.runtime.dataflow.exchange.Exchange.Origin;
import io.berth.runtime.dataflow.exchange.input.ExchangeClient;
import io.berth.runtime.dataflow.exchange.input.ExchangeException;
import io.berth.runtime.dataflow.exchange.input.InputGate;
import io.berth.runtime.dataflow.exchange.output.RecordWriter;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.exchange.wire.Frames;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A peer that violates the protocol loses its own connection and does no other harm. */
@Timeout(60)
class ProtocolTest {

    private static final int HELLO = 0;
    private static final int OPEN = 1;
    private static final int CREDIT = 2;
    private static final int BUFFER = 4;
    private static final int EVENT = 5;

    private Exchange exchange;

    @BeforeEach
    void start() {
        exchange = new Exchange("worker", ExchangeHarness.quick(), 1);
    }

    @AfterEach
    void stop() {
        exchange.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(),
                ExchangeClient.parse(exchange.address()).getPort());
        socket.setSoTimeout(5000);
        return socket;
    }

    private static byte[] frame(int type, int channel, byte[] payload) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(payload.length);
        out.writeByte(type);
        out.writeInt(channel);
        out.write(payload);
        return bytes.toByteArray();
    }

    private static byte[] hello(int magic, int version) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(magic);
        out.writeShort(version);
        out.writeBytes("stranger");
        return frame(HELLO, 0, bytes.toByteArray());
    }

    private static byte[] goodHello() throws IOException {
        return hello(Frames.MAGIC, Frames.VERSION);
    }

    private void assertClosedAfter(byte[]... frames) throws IOException {
        try (Socket socket = connect()) {
            for (byte[] frame : frames) {
                socket.getOutputStream().write(frame);
            }
            assertThat(readToEnd(socket)).isTrue();
        }
        assertStillServes();
    }

    private static boolean readToEnd(Socket socket) {
        try {
            while (socket.getInputStream().read() >= 0) {
                // The answer to a valid HELLO may arrive before the end.
                assertThat(socket.isConnected()).isTrue();
            }
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private void assertStillServes() {
        try (Exchange other = new Exchange("other", ExchangeHarness.quick(), 1)) {
            ResultPartition served = exchange.createPartition(partition(9), 1);
            RecordWriter<byte[]> writer = ExchangeHarness.writer(served, Partitioning.FORWARD);
            writer.collector().collect(new byte[] {42});
            writer.end();
            InputGate gate = other.createGate(List.of(new Origin(partition(9), 0, exchange.address())));
            gate.open();
            assertThat(ExchangeHarness.readAll(gate).get(0)).containsExactly(new byte[] {42});
            gate.close();
            exchange.release(served, "finished");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void rejectsAForeignProtocol() throws IOException {
        assertClosedAfter("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }

    @Test
    void rejectsAFirstFrameOtherThanHello() throws IOException {
        assertClosedAfter(frame(CREDIT, 1, new byte[4]));
    }

    @Test
    void rejectsAHelloWithWrongMagicOrVersion() throws IOException {
        assertClosedAfter(hello(0x12345678, 1));
        assertClosedAfter(hello(Frames.MAGIC, 2));
    }

    @Test
    void rejectsAnOversizedFrameBeforeReadingIt() throws IOException {
        byte[] header = {0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff, OPEN, 0, 0, 0, 1};
        assertClosedAfter(goodHello(), header);
        byte[] negative = {(byte) 0xff, 0, 0, 0, OPEN, 0, 0, 0, 1};
        assertClosedAfter(goodHello(), negative);
    }

    @Test
    void rejectsUnknownTypesShortOpensAndBuffersFromAConsumer() throws IOException {
        assertClosedAfter(goodHello(), frame(77, 1, new byte[4]));
        assertClosedAfter(goodHello(), frame(OPEN, 1, new byte[3]));
        assertClosedAfter(goodHello(), frame(BUFFER, 1, new byte[16]));
    }

    @Test
    void rejectsCreditOutOfRange() throws IOException {
        byte[] open = frame(OPEN, 1, new byte[] {0x7f, 0, 0, 0, 0, 0, 0, 0, 'x'});
        assertClosedAfter(goodHello(), open);
    }

    @Test
    void closesASilentPeerAfterTheDeadline() throws IOException {
        assertClosedAfter();
    }

    /** A worker that sends HELLO and then {@code frames} as soon as a channel is opened. */
    private void assertConsumerFails(String reason, byte[]... frames) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExchangeHarness.inBackground(() -> {
                try (Socket socket = server.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    skipFrame(in);
                    socket.getOutputStream().write(goodHello());
                    skipFrame(in);
                    for (byte[] frame : frames) {
                        socket.getOutputStream().write(frame);
                    }
                    readToEnd(socket);
                }
            });
            InputGate gate =
                    exchange.createGate(List.of(new Origin(partition(0), 0, "127.0.0.1:" + server.getLocalPort())));
            gate.open();
            assertThatThrownBy(() -> ExchangeHarness.readAll(gate))
                    .isInstanceOf(ExchangeException.class)
                    .hasMessageContaining("worker stranger")
                    .hasMessageContaining(reason);
            gate.close();
            assertThat(exchange.pool().isWhole()).isTrue();
        }
    }

    private static void skipFrame(DataInputStream in) throws IOException {
        int length = in.readInt();
        in.skipNBytes(5L + length);
    }

    @Test
    void rejectsReservedEvents() throws Exception {
        assertConsumerFails("event 2 is reserved", frame(EVENT, 1, new byte[] {2}));
        assertConsumerFails("event 3 is reserved", frame(EVENT, 1, new byte[] {3}));
        assertConsumerFails("event 9 is unknown", frame(EVENT, 1, new byte[] {9}));
    }

    @Test
    void aSecondEndOfAChannelDoesNotEndAnotherOne() throws Exception {
        byte[] end = frame(EVENT, 1, new byte[] {1});
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExchangeHarness.inBackground(() -> {
                try (Socket socket = server.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    skipFrame(in);
                    socket.getOutputStream().write(goodHello());
                    skipFrame(in);
                    skipFrame(in);
                    socket.getOutputStream().write(end);
                    socket.getOutputStream().write(end);
                    socket.getOutputStream().write(frame(BUFFER, 2, new byte[] {0, 0, 0, 0, 0, 0, 0, 2, 1, 7}));
                    socket.getOutputStream().write(frame(EVENT, 2, new byte[] {1}));
                    readToEnd(socket);
                }
            });
            String address = "127.0.0.1:" + server.getLocalPort();
            InputGate gate = exchange.createGate(
                    List.of(new Origin(partition(0), 0, address), new Origin(partition(1), 0, address)));
            gate.open();
            assertThat(ExchangeHarness.readAll(gate).get(1)).containsExactly(new byte[] {7});
            gate.close();
            assertThat(exchange.pool().isWhole()).isTrue();
        }
    }

    @Test
    void rejectsADuplicatePartitionWhichThenHoldsNoBuffers() {
        ResultPartition first = exchange.createPartition(partition(3), 2);
        assertThatThrownBy(() -> exchange.createPartition(partition(3), 2)).hasMessageContaining("already registered");
        exchange.release(first, "finished");
        assertThat(exchange.pool().isWhole()).isTrue();
    }

    @Test
    void rejectsMoreBuffersThanCredit() throws Exception {
        byte[] record = frame(BUFFER, 1, new byte[] {0, 0, 0, 0, 0, 0, 0, 2, 1, 7});
        byte[][] flood = new byte[20_000][];
        java.util.Arrays.fill(flood, record);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ExchangeHarness.inBackground(() -> {
                try (Socket socket = server.accept()) {
                    DataInputStream in = new DataInputStream(socket.getInputStream());
                    skipFrame(in);
                    socket.getOutputStream().write(goodHello());
                    skipFrame(in);
                    for (byte[] frame : flood) {
                        socket.getOutputStream().write(frame);
                    }
                }
            });
            InputGate unread =
                    exchange.createGate(List.of(new Origin(partition(0), 0, "127.0.0.1:" + server.getLocalPort())));
            unread.open();
            org.awaitility.Awaitility.await().until(() -> exchange.connections() == 0);
            assertThatThrownBy(() -> ExchangeHarness.readAll(unread)).hasMessageContaining("without credit");
            unread.close();
            assertThat(exchange.pool().isWhole()).isTrue();
        }
    }

    @Test
    void rejectsABufferWithAnImpossibleHead() throws Exception {
        assertConsumerFails("head 5 and tail 2", frame(BUFFER, 1, new byte[] {0, 0, 0, 5, 0, 0, 0, 2, 1, 2, 3}));
    }
}
