package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.itests.policy.ThrowingMatching;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import javax.inject.Inject;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.karaf.features.BootFinished;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.cm.ConfigurationAdmin;

/** The values that Prometheus scrapes and that a JMX client reads agree with those of the operations. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class MetricsIT {

    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();
    private static final String PID = "io.berth.ops.metrics";

    @Inject
    private BundleContext context;

    @Inject
    private BootFinished booted;

    @Inject
    private JobOperations jobs;

    @Inject
    private ClusterOperations operations;

    @Inject
    private PolicyOperations policies;

    @Inject
    private ConfigurationAdmin configurations;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private Cluster cluster;
    private int port;

    @Configuration
    public Option[] configuration() {
        return new Option[] {BerthContainer.cluster(1, 1, 4)};
    }

    @Before
    public void meetTheCluster() throws Exception {
        cluster = new Cluster(jobs, operations);
        Properties settings = new Properties();
        Path etc = Path.of(System.getProperty("karaf.etc"));
        try (InputStream file = Files.newInputStream(etc.resolve("org.apache.felix.http.cfg"))) {
            settings.load(file);
        }
        port = Integer.parseInt(
                settings.getProperty("org.osgi.service.http.port").strip());
        Await.until("metrics are served", LIMIT, () -> get("/metrics").statusCode() == 200);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .GET());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }

    /** All samples by name and labels; each appears once, after HELP and TYPE of its metric. */
    private Map<String, Double> scrape() throws Exception {
        HttpResponse<String> response = get("/metrics");
        assertEquals(response.body(), 200, response.statusCode());
        String type = response.headers().firstValue("Content-Type").orElse("");
        assertTrue(type, type.startsWith("text/plain; version=0.0.4") || type.startsWith("text/plain;version=0.0.4"));
        Map<String, Double> samples = new TreeMap<>();
        Map<String, String> types = new TreeMap<>();
        for (String line : response.body().split("\n")) {
            if (line.startsWith("# TYPE ")) {
                assertNull("one TYPE: " + line, types.put(line.split(" ")[2], line.split(" ")[3]));
            } else if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                String sample = line.substring(0, space);
                String name = sample.replaceFirst("\\{.*", "");
                assertTrue(
                        "a TYPE before " + line,
                        types.containsKey(name) || types.containsKey(name.replaceFirst("_(count|sum)$", "")));
                assertNull("sample twice: " + line, samples.put(sample, Double.parseDouble(line.substring(space + 1))));
            }
        }
        return samples;
    }

    private static double of(Map<String, Double> samples, String sample) {
        return samples.getOrDefault(sample, 0.0);
    }

    /** Waits until a sample equals the value of the operations; both change while the cluster works. */
    private void agree(String sample, Callable<Long> said) throws Exception {
        double[] last = new double[2];
        Await.until(() -> sample + " is " + last[0] + ", but the operations say " + last[1], LIMIT, () -> {
            last[1] = said.call();
            last[0] = of(scrape(), sample);
            return last[0] == last[1];
        });
    }

    private void counted(String sample) throws Exception {
        Await.until(sample + " is at least 1", LIMIT, () -> of(scrape(), sample) >= 1);
    }

    private PolicyDetails details(String name) {
        return policies.policies().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static ObjectName bean(String name) throws Exception {
        return new ObjectName("io.berth:type=Policy,kind=matching,name=" + name);
    }

    private JobId place(String name) throws Exception {
        String bundle = cluster.bundle(Cluster.file("berth.sequence.jar"));
        JobId job = cluster.submit(Jobs.sequence(name, bundle, 1L << 40, 1_000, 1, 1));
        cluster.running(job, LIMIT);
        return job;
    }

    @Test
    public void valuesAgreeWithDecisionsSwapsAndPolicies() throws Exception {
        JobId first = place("measured");
        agree(
                "berth_policy_decisions_total{kind=\"matching\",policy=\"first-fit\"}",
                () -> details("first-fit").decisions());
        agree(
                "berth_policy_decisions_total{kind=\"scaling\",policy=\"reactive\"}",
                () -> details("reactive").decisions());
        agree(
                "berth_host_decision_time_seconds_count{pool=\"default\",type=\"placement\"}",
                () -> policies
                        .decisions(new DecisionFilter(
                                Optional.of(PolicyKind.DISTRIBUTION), Optional.empty(), Optional.empty(), 10_000))
                        .stream()
                        .count());
        agree("berth_jobs{state=\"Executing\"}", () -> 1L);
        agree("berth_workers{state=\"registered\"}", () -> 1L);
        agree("berth_slots{state=\"allocated\"}", () -> 1L);
        Map<String, Double> samples = scrape();
        assertEquals(
                1,
                of(samples, "berth_policy_registered{kind=\"matching\",policy=\"first-fit\",state=\"deciding\"}"),
                0);
        String place = "berth_policy_call_time_seconds{call=\"place\",kind=\"matching\",policy=\"first-fit\",quantile=";
        double median = of(samples, place + "\"0.5\"}");
        double longest = of(samples, place + "\"1.0\"}");
        assertTrue("median " + median + ", longest " + longest, median > 0 && median <= longest && longest < 60);
        assertTrue(of(
                        samples,
                        "berth_policy_call_time_seconds_count{call=\"admit\",kind=\"distribution\",policy=\"fifo\"}")
                > 0);
        assertTrue(of(samples, "jvm_memory_used_bytes{area=\"heap\"}") > 1 << 20);
        assertTrue(of(samples, "jvm_threads_current") > 10);

        policies.use(PolicyKind.MATCHING, "spread");
        JobId second = place("swapped");
        agree(
                "berth_host_swaps_total{cause=\"use\",kind=\"matching\"}",
                () -> policies.swaps(Optional.of(PolicyKind.MATCHING), 10_000).stream()
                        .filter(swap -> swap.cause().event() == PolicyEvent.USE)
                        .count());
        assertTrue(of(scrape(), "berth_host_swaps_total{cause=\"use\",kind=\"matching\"}") >= 1);
        agree(
                "berth_policy_decisions_total{kind=\"matching\",policy=\"spread\"}",
                () -> details("spread").decisions());
        assertEquals(1, of(scrape(), "berth_host_choice_index{kind=\"matching\"}"), 0);
        assertEquals((Object) details("spread").decisions(), BEANS.getAttribute(bean("spread"), "Decisions"));

        policies.use(PolicyKind.MATCHING, "");
        aThrowingPolicy();
        cluster.cancel(first);
        cluster.cancel(second);
    }

    private long threw() throws Exception {
        TabularData failures = (TabularData) BEANS.getAttribute(bean("faulty"), "FailuresByKind");
        return (Long) failures.get(new Object[] {"threw"}).get("value");
    }

    private void aThrowingPolicy() throws Exception {
        Hashtable<String, Object> properties = new Hashtable<>();
        properties.put("io.berth.policy.name", "faulty");
        properties.put("service.ranking", 100_000);
        ServiceRegistration<MatchingStrategyFactory> faulty =
                context.registerService(MatchingStrategyFactory.class, new ThrowingMatching(), properties);
        JobId third;
        try {
            Await.until(
                    "the faulty bundle should decide",
                    LIMIT,
                    () -> policies.policies().stream()
                            .anyMatch(policy -> policy.name().equals("faulty")
                                    && policy.state().equals("deciding")));
            third = place("in-spite-of-it");
            counted("berth_policy_failures_total"
                    + "{call=\"place\",failure=\"threw\",kind=\"matching\",policy=\"faulty\"}");
            counted("berth_host_rounds_redone_total{kind=\"matching\"}");
            counted("berth_host_fallbacks_total{kind=\"matching\"}");
            Await.until("its bean", LIMIT, () -> BEANS.isRegistered(bean("faulty")));
            Await.until(
                    "all its failures are throws",
                    LIMIT,
                    () -> threw() == details("faulty").failures());
            CompositeData[] times = (CompositeData[]) BEANS.getAttribute(bean("faulty"), "TimesByCall");
            List<Object> calls =
                    Arrays.stream(times).map(call -> call.get("call")).toList();
            assertTrue(calls.toString(), calls.containsAll(List.of("describe", "create", "place")));
        } finally {
            faulty.unregister();
        }
        Await.until("its bean goes", LIMIT, () -> !BEANS.isRegistered(bean("faulty")));
        assertTrue(
                "its figures stay",
                scrape().containsKey("berth_policy_decisions_total{kind=\"matching\",policy=\"faulty\"}"));
        cluster.cancel(third);
    }

    @Test
    public void answersOnlyRequestsForMetricsOfThisHost() throws Exception {
        HttpResponse<String> posted = send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .POST(HttpRequest.BodyPublishers.ofString("x")));
        assertEquals(405, posted.statusCode());
        assertEquals("GET, HEAD", posted.headers().firstValue("Allow").orElse(""));
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer, answer.startsWith("HTTP/1.1 403") && answer.contains("evil.example"));
            assertFalse(answer, answer.contains("berth_policy"));
        }
        assertEquals("no REST lost", 200, get("/v1/policies").statusCode());
    }

    @Test
    public void followsItsConfiguration() throws Exception {
        ObjectName host = new ObjectName("io.berth:type=PolicyHost");
        Await.until("the bean of the host", LIMIT, () -> BEANS.isRegistered(host));
        org.osgi.service.cm.Configuration configuration = configurations.getConfiguration(PID, null);
        Hashtable<String, Object> before = new Hashtable<>();
        Optional.ofNullable(configuration.getProperties())
                .ifPresent(given -> given.keys().asIterator().forEachRemaining(key -> before.put(key, given.get(key))));
        Hashtable<String, Object> other = new Hashtable<>(before);
        other.put("path", "/internal/figures");
        other.put("beans.enabled", "false");
        configuration.update(other);
        try {
            Await.until(
                    "served elsewhere", LIMIT, () -> get("/internal/figures").statusCode() == 200);
            assertEquals(404, get("/metrics").statusCode());
            Await.until("no beans", LIMIT, () -> !BEANS.isRegistered(host));
            Hashtable<String, Object> bad = new Hashtable<>(other);
            bad.put("path", "/v1/metrics");
            configuration.update(bad);
            Hashtable<String, Object> beans = new Hashtable<>(other);
            beans.put("beans.enabled", "true");
            configuration.update(beans);
            Await.until("beans again", LIMIT, () -> BEANS.isRegistered(host));
            assertEquals(
                    "the previous configuration stays in effect after a rejection",
                    200,
                    get("/internal/figures").statusCode());
        } finally {
            configuration.update(before);
        }
        Await.until("served where it was", LIMIT, () -> get("/metrics").statusCode() == 200);
    }
}
