package io.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.berth.client.BerthException.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader and its standby, each of which may be one or the other. */
class SeveralAddressesTest {

    private static final String NOTHING_THERE = "<html>no such page</html>";
    private static final String STANDBY = "{\"error\": \"this process is a standby\"}";
    private static final String BUSY = "{\"error\": \"no answer within 10000 ms; try again\"}";

    @TempDir
    Path directory;

    private Process one;
    private Process other;
    private RestClient client;

    /** What listens at one address, with the same answer to each request. */
    private static final class Process implements AutoCloseable {

        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
        private volatile int status = 200;
        private volatile String body = "{\"from\": \"a leader\"}";

        Process() throws IOException {
            server.createContext("/", exchange -> {
                String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + sent);
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, bytes.length);
                exchange.getResponseBody().write(bytes);
                exchange.close();
            });
            server.start();
        }

        void answers(int with, String text) {
            status = with;
            body = text;
        }

        String url() {
            return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @BeforeEach
    void open() throws IOException {
        one = new Process();
        other = new Process();
        client = new RestClient(one.url() + ", " + other.url());
    }

    @AfterEach
    void close() {
        one.close();
        other.close();
    }

    private static String unused() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    @Test
    void asksTheNextOneWhenNothingListensAndStaysThere() throws IOException {
        one.close();
        assertThat(client.get("status").path("from").asText()).isEqualTo("a leader");
        assertThat(client.list("jobs")).hasSize(1);
        assertThat(other.requests).containsExactly("GET /v1/status ", "GET /v1/jobs ");
        RestClient unlucky = new RestClient(unused() + "," + unused());
        assertThatThrownBy(() -> unlucky.get("status"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageMatching(
                        "control plane at http://127.0.0.1:\\d+/ is not reachable \\(nothing listens there\\); "
                                + "control plane at http://127.0.0.1:\\d+/ is not reachable \\(nothing listens there\\)");
    }

    @Test
    void followsALeaderThatBecomesTheStandby() {
        one.answers(421, STANDBY);
        client.get("jobs/a");
        client.get("jobs/a");
        assertThat(one.requests).as("only once").hasSize(1);
        one.answers(200, "{}");
        other.answers(421, STANDBY);
        client.get("jobs/a");
        assertThat(one.requests).hasSize(2);
        assertThat(other.requests).hasSize(3);
    }

    @Test
    void eachRequestIsSentToTheNextOneWhenAStandbyIsAsked() throws IOException {
        Path file = Files.writeString(directory.resolve("words.jar"), "content");
        for (int turn = 0; turn < 6; turn++) {
            one.requests.clear();
            other.requests.clear();
            one.answers(turn % 2 == 0 ? 421 : 404, turn % 2 == 0 ? STANDBY : NOTHING_THERE);
            RestClient fresh = new RestClient(one.url() + "," + other.url());
            switch (turn) {
                case 0 -> fresh.post("jobs/a/cancel", "application/json", "");
                case 1 -> fresh.put("policies/matching", "{}");
                case 2 -> fresh.delete("policies/matching/shadow");
                case 3 -> fresh.upload("bundles/1", file);
                case 4 -> assertThat(fresh.find("bundles/1")).isPresent();
                default -> {
                    Path written = directory.resolve("decisions");
                    assertThat(fresh.download("decisions/export", written)).isEqualTo(Files.size(written));
                    assertThat(written).hasContent("{\"from\": \"a leader\"}");
                }
            }
            assertThat(other.requests)
                    .as("turn " + turn)
                    .isEqualTo(one.requests)
                    .hasSize(1);
        }
    }

    @Test
    void aRequestThatMayHaveHadAnEffectIsSentAgainOnlyIfThatChangesNothing() {
        one.answers(503, BUSY);
        assertThatThrownBy(() -> client.post("policies/matching/revert", "application/json", "{}"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessage("no answer within 10000 ms; try again");
        assertThat(other.requests).isEmpty();
        client.post("jobs", "application/yaml", "name: words", Map.of("Idempotency-Key", "key-1"));
        assertThat(other.requests).containsExactly("POST /v1/jobs name: words");
    }

    @Test
    void saysWhatAControlPlaneSaidWhenNoneServes() {
        one.answers(404, NOTHING_THERE);
        other.answers(503, BUSY);
        assertThatThrownBy(() -> client.get("jobs")).hasMessage("no answer within 10000 ms; try again");
        other.answers(421, STANDBY);
        assertThatThrownBy(() -> client.get("jobs"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessage(
                        "the server at " + one.url() + " is not a Berth control plane, or one that is still starting"
                                + " (HTTP 404); control plane at " + other.url() + ": this process is a standby");
    }

    @Test
    void aRefusalIsAnAnswer() {
        one.answers(404, "{\"error\": \"no job 'a'\"}");
        assertThatThrownBy(() -> client.get("jobs/a"))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND));
        assertThat(client.find("jobs/a")).isEmpty();
        assertThat(other.requests).isEmpty();
    }

    @Test
    void namesTheAddressThatIsNone() {
        assertThatThrownBy(() -> new RestClient("http://127.0.0.1:8181,berth"))
                .hasMessage("url is 'berth': allowed is an address such as http://127.0.0.1:8181");
        assertThatThrownBy(() -> new RestClient("http://127.0.0.1:8181,"))
                .hasMessage("url is '': allowed is an address such as http://127.0.0.1:8181");
    }
}
