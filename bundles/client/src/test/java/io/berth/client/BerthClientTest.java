package io.berth.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.berth.client.BerthException.Kind;
import io.berth.client.BerthException.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BerthClientTest {

    @TempDir
    Path directory;

    private record Answer(int status, String body, String link) {}

    private final Map<String, Deque<Answer>> answers = Collections.synchronizedMap(new TreeMap<>());
    private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
    private final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    private final List<Long> pauses = new ArrayList<>();
    private long nanos;
    private HttpServer server;
    private BerthClient client;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            requests.add(request + " " + body);
            keys.addAll(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of()));
            Deque<Answer> queue = answers.getOrDefault(
                    request, new ArrayDeque<>(List.of(new Answer(404, "{\"error\": \"no " + request + "\"}", ""))));
            Answer answer = queue.size() > 1 ? queue.poll() : queue.peek();
            if (!answer.link().isEmpty()) {
                exchange.getResponseHeaders().add("Link", answer.link());
            }
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        client = BerthClient.at("http://127.0.0.1:" + server.getAddress().getPort(), new Waits() {
            @Override
            public long nanos() {
                return nanos;
            }

            @Override
            public void pause(long millis) {
                pauses.add(millis);
                nanos += millis * 1_000_000;
            }
        });
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private void on(String request, int status, String body) {
        on(request, status, body, "");
    }

    private void on(String request, int status, String body, String link) {
        answers.computeIfAbsent(request, any -> new ArrayDeque<>()).add(new Answer(status, body, link));
    }

    private static String job(String id, String status) {
        return """
                {"id": "%s", "name": "words", "status": "%s", "reason": "because", "submittedMillis": 5,
                 "startedMillis": 7, "endedMillis": 0, "restarts": 2, "rescales": 1, "counters": {"write.bytes": 9},
                 "vertices": [{"name": "count", "operator": "word-count", "minimum": 1, "desired": 2, "maximum": 3,
                   "parallelism": 2, "recordsIn": 10, "recordsOut": 20}]}
                """.formatted(id, status);
    }

    @Test
    void storesBundlesThatAreNotThereAndSubmits() throws Exception {
        Path jar = Files.writeString(directory.resolve("words.jar"), "content");
        String sha256 = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";
        on("PUT /v1/bundles/" + sha256, 201, "{}");
        on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");
        Job job = client.submit(
                JobDescription.named("words").bundle(jar).vertex("a", "b").build(), "key-1");
        assertThat(job.id()).isEqualTo("words-1");
        assertThat(requests)
                .containsExactly(
                        "GET /v1/bundles/" + sha256 + " ",
                        "PUT /v1/bundles/" + sha256 + " content",
                        "POST /v1/jobs {\"name\":\"words\",\"vertices\":[{\"name\":\"a\",\"operator\":\"b\"}],\"bundles\":[\""
                                + sha256 + "\"]}");
        assertThat(keys).containsExactly("key-1");
        assertThatThrownBy(() -> client.storeBundle(directory.resolve("missing.jar")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("missing.jar cannot be read");
    }

    @Test
    void repeatsASubmissionWithTheSameKeyWhenNoAnswerCame() throws Exception {
        on("POST /v1/jobs", 503, "{\"error\": \"no leader; try again\"}");
        on("POST /v1/jobs", 201, "{\"id\": \"words-1\"}");
        assertThat(client.submit(JobDescription.of("name: words")).id()).isEqualTo("words-1");
        assertThat(keys).hasSize(2);
        assertThat(keys.get(0)).isEqualTo(keys.get(1));
        assertThat(pauses).containsExactly(1_000L);
    }

    @Test
    void namesAllProblemsOfADescription() {
        on("POST /v1/jobs", 400, """
                {"error": "the job description has 1 problem; nothing was submitted",
                 "problems": [{"field": "vertices[0].operator", "given": "missing", "allowed": "a name"}]}
                """);
        assertThatThrownBy(() -> client.submit(JobDescription.of("name: words")))
                .isInstanceOfSatisfying(BerthException.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(Kind.REFUSED);
                    assertThat(failure.problems())
                            .containsExactly(new Problem("vertices[0].operator", "missing", "a name"));
                })
                .hasMessage("the job description has 1 problem; nothing was submitted\n"
                        + "  vertices[0].operator is missing: a name");
        assertThat(keys).as("it is not repeated").hasSize(1);
    }

    @Test
    void readsAJob() {
        on("GET /v1/jobs/words-1", 200, job("words-1", "WaitingForResources"));
        JobInfo info = client.job("words-1").info();
        assertThat(info.status()).isEqualTo(JobStatus.WAITING_FOR_RESOURCES);
        assertThat(info.started())
                .hasValueSatisfying(time -> assertThat(time.toEpochMilli()).isEqualTo(7));
        assertThat(info.ended()).isEmpty();
        assertThat(info.restarts()).isEqualTo(2);
        assertThat(info.counters()).containsEntry("write.bytes", 9L);
        assertThat(info.vertex("count").recordsOut()).isEqualTo(20);
        assertThatThrownBy(() -> info.vertex("read")).hasMessage("job words-1 has no vertex 'read': it has count");
        assertThatThrownBy(() -> client.job("nobody").info())
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.NOT_FOUND));
    }

    @Test
    void listsJobsPageByPage() {
        on("GET /v1/jobs", 200, "[" + job("a", "Finished") + "]", "</v1/jobs?after=1>; rel=\"next\"");
        on("GET /v1/jobs?after=1", 200, "[" + job("b", "SomethingNew") + "]");
        assertThat(client.jobs()).extracting(JobInfo::id).containsExactly("a", "b");
        assertThat(client.jobs()).extracting(JobInfo::status).containsExactly(JobStatus.FINISHED, JobStatus.OTHER);
    }

    @Test
    void waitsForTheEndAlsoWhileTheControlPlaneStartsAgain() throws Exception {
        on("GET /v1/jobs/words-1", 200, job("words-1", "Executing"));
        on("GET /v1/jobs/words-1", 503, "{\"error\": \"no leader; try again\"}");
        on("GET /v1/jobs/words-1", 200, job("words-1", "Failed"));
        assertThat(client.job("words-1").awaitEnd(Duration.ofMinutes(1)).status())
                .isEqualTo(JobStatus.FAILED);
        assertThat(pauses).containsExactly(20L, 40L);
    }

    @Test
    void saysHowAJobIsThatDoesNotEndInTime() {
        on("GET /v1/jobs/words-1", 200, job("words-1", "Restarting"));
        assertThatThrownBy(() -> client.job("words-1").awaitRunning(Duration.ofSeconds(3)))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("job words-1 after 3000 ms: RESTARTING, because");
        assertThat(pauses.stream().mapToLong(Long::longValue).sum()).isBetween(3_000L, 3_010L);
        assertThat(pauses).allSatisfy(pause -> assertThat(pause).isLessThanOrEqualTo(500));
    }

    @Test
    void scalesOneVertexAndKeepsTheOthers() {
        on("GET /v1/jobs/j/requirements", 200, """
                {"revision": 4, "vertices": [{"vertex": "a", "minimum": 1, "desired": 2, "maximum": 3},
                  {"vertex": "b", "minimum": 1, "desired": 1, "maximum": 1}]}
                """);
        on("PUT /v1/jobs/j/requirements", 200, """
                {"revision": 5, "vertices": [{"vertex": "a", "minimum": 2, "desired": 8, "maximum": 8}]}
                """);
        assertThat(client.job("j").scale("a", 2, 8).revision()).isEqualTo(5);
        assertThat(requests.get(1))
                .isEqualTo("PUT /v1/jobs/j/requirements {\"revision\":4,\"vertices\":["
                        + "{\"vertex\":\"a\",\"minimum\":2,\"desired\":8,\"maximum\":8},"
                        + "{\"vertex\":\"b\",\"minimum\":1,\"desired\":1,\"maximum\":1}]}");
        assertThatThrownBy(() -> client.job("j").scale("c", 1, 1)).hasMessage("vertex is 'c': allowed are a, b");
    }

    @Test
    void aChangeThatAnotherCameBeforeIsAConflict() {
        on("PUT /v1/jobs/j/requirements", 409, "{\"error\": \"another change came first\", \"requirements\": {}}");
        assertThatThrownBy(() -> client.job("j").change(new Requirements(3, List.of())))
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.CONFLICT));
    }

    @Test
    void cancelsAJob() {
        on("POST /v1/jobs/words-1/cancel", 202, "{\"id\": \"words-1\"}");
        client.job("words-1").cancel();
        assertThat(requests).containsExactly("POST /v1/jobs/words-1/cancel ");
    }

    @Test
    void saysThatNothingListens() {
        int port = server.getAddress().getPort();
        server.stop(0);
        assertThatThrownBy(() -> client.jobs())
                .isInstanceOfSatisfying(
                        BerthException.class,
                        failure -> assertThat(failure.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessage("control plane at http://127.0.0.1:" + port + "/ is not reachable (nothing listens there)");
        assertThatThrownBy(() -> BerthClient.at("berth"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("url is 'berth': allowed is an address such as http://127.0.0.1:8181");
    }
}
