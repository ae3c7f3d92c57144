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
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leader and its standby, each of which may be one or the other. */
class SeveralAddressesTest {

    private static final String NOTHING_THERE = "<html>no such page</html>";
    private static final String STANDBY = "{\"error\": \"this process is a standby\"}";
    /** Instead of a status: the connection ends without an answer. */
    private static final int LOST = 0;

    private static final String BUSY = "{\"error\": \"no answer within 10000 ms; try again\"}";

    @TempDir
    Path directory;

    private Listener one;
    private Listener other;
    private RestClient client;

    /** What listens at one address, with the same answer to each request. */
    private static final class Listener implements AutoCloseable {

        private final HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
        private volatile int status = 200;
        private volatile String body = "{\"from\": \"a leader\"}";

        Listener() throws IOException {
            server.createContext("/", exchange -> {
                String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + sent);
                if (status == LOST) {
                    exchange.close();
                    return;
                }
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
        one = new Listener();
        other = new Listener();
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

    private interface Request {
        void send(RestClient client) throws IOException;
    }

    private Map<String, Request> requests() throws IOException {
        Path file = Files.writeString(directory.resolve("words.jar"), "content");
        Map<String, Request> all = new TreeMap<>();
        all.put("read", fresh -> fresh.get("jobs/a"));
        all.put("read what may be missing", fresh -> fresh.find("bundles/1"));
        all.put("list", fresh -> fresh.list("jobs"));
        all.put("download", fresh -> fresh.download("decisions/export", directory.resolve("decisions")));
        all.put("upload", fresh -> fresh.upload("bundles/1", file));
        all.put("submit", fresh -> fresh.post("jobs", "text/yaml", "name: a", Map.of("Idempotency-Key", "key-1")));
        all.put("POST", fresh -> fresh.post("policies/matching/revert", "application/json", "{}"));
        all.put("PUT", fresh -> fresh.put("policies/matching", "{}"));
        all.put("DELETE", fresh -> fresh.delete("policies/matching/shadow"));
        return all;
    }

    @Test
    void eachRequestGoesToTheNextOneWhenNothingWasDone() throws IOException {
        for (Map.Entry<String, Request> each : requests().entrySet()) {
            for (boolean standby : List.of(true, false)) {
                one.requests.clear();
                other.requests.clear();
                one.answers(standby ? 421 : 404, standby ? STANDBY : NOTHING_THERE);
                each.getValue().send(new RestClient(one.url() + "," + other.url()));
                assertThat(other.requests)
                        .as(each.getKey())
                        .isEqualTo(one.requests)
                        .hasSize(1);
            }
        }
        assertThat(directory.resolve("decisions")).hasContent("{\"from\": \"a leader\"}");
    }

    @Test
    void whatMayHaveActedIsRepeatedOnlyIfThatChangesNothing() throws IOException {
        for (Map.Entry<String, Request> each : requests().entrySet()) {
            boolean acts = each.getKey().matches("[A-Z]+");
            for (int status : new int[] {503, 504, 200, LOST}) {
                other.requests.clear();
                one.answers(status, status == 503 ? BUSY : NOTHING_THERE);
                if (each.getKey().equals("download") && status == 200) {
                    continue;
                }
                RestClient fresh = new RestClient(one.url() + "," + other.url());
                if (acts) {
                    assertThatThrownBy(() -> each.getValue().send(fresh))
                            .as(each.getKey() + " " + status)
                            .isInstanceOfSatisfying(
                                    BerthException.class,
                                    failure -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE));
                } else {
                    each.getValue().send(fresh);
                }
                assertThat(other.requests).as(each.getKey() + " " + status).hasSize(acts ? 0 : 1);
            }
        }
    }

    @Test
    void aFileThatCannotBeWrittenIsAskedForOnce() {
        assertThatThrownBy(() -> client.download("decisions/export", directory.resolve("nowhere/decisions")))
                .isInstanceOf(FileSystemException.class);
        assertThat(other.requests).isEmpty();
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
