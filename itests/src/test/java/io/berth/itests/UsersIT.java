package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.client.BerthClient;
import io.berth.client.BerthException;
import io.berth.client.Job;
import io.berth.client.JobDescription;
import io.berth.client.JobStatus;
import io.berth.client.Partitioning;
import io.berth.itests.OutsideCluster.Answer;
import io.berth.itests.OutsideCluster.Setting;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.Test;

/** Users with tokens, as docs/users.md says: real processes, which the command line and the Java client ask. */
public class UsersIT {

    private static final Pattern PATH = Pattern.compile("  /(\\S+):");
    private static final Pattern METHOD = Pattern.compile("    (get|put|post|delete):");
    private static final String PASSWORD = "a-password-that-nobody-should-see";

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    /** The tokens that no log may have. */
    private final List<String> secrets = new ArrayList<>();

    /** A request of the interface. */
    private record Route(String method, String path) {

        static List<Route> all() throws Exception {
            List<Route> routes = new ArrayList<>();
            String path = "";
            for (String line : Files.readAllLines(DocumentedCommands.ROOT.resolve("docs/openapi.yaml"))) {
                Matcher ofPath = PATH.matcher(line);
                Matcher ofMethod = METHOD.matcher(line);
                if (ofPath.matches()) {
                    path = ofPath.group(1).replaceAll("\\{\\w+}", "x");
                } else if (ofMethod.matches()) {
                    routes.add(new Route(ofMethod.group(1).toUpperCase(Locale.ROOT), path));
                }
            }
            return routes;
        }
    }

    private Answer send(HttpClient client, String address, Route route, Optional<String> token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "/v1/" + route.path()))
                .timeout(Duration.ofSeconds(20))
                .header("Content-Type", "application/json")
                .method(route.method(), BodyPublishers.ofString(route.method().equals("GET") ? "" : "[]"));
        token.ifPresent(one -> request.header("Authorization", "Bearer " + one));
        HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
        return new Answer(response.statusCode(), json.readTree(response.body()));
    }

    private int status(OutsideCluster cluster, String method, String path, String token) throws Exception {
        return send(http, cluster.address(), new Route(method, path), Optional.of(token))
                .status();
    }

    private static void useTokens(OutsideCluster cluster) throws Exception {
        cluster.configure("io.berth.ops.rest.cfg", "authentication = token\n");
        Await.until("a token is needed", LIMIT, () -> cluster.ask("/v1/status").status() == 401);
    }

    private String firstToken(OutsideCluster cluster) throws Exception {
        Path file = cluster.home().resolve("data/berth/admin.token");
        Await.until("the first token", LIMIT, () -> Files.exists(file));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        return secret(file);
    }

    private String secret(Path file) throws Exception {
        String token = Files.readString(file).strip();
        secrets.add(token);
        return token;
    }

    /** Makes a token on the command line, as the admin; returns its file. */
    private Path token(OutsideCluster cluster, String name, String role) throws Exception {
        Path file = cluster.home().resolve(name + ".token");
        Outcome made = cluster.commandLine(
                "token",
                "create",
                name,
                "--role",
                role,
                "--valid",
                "1h",
                "--output",
                file.toString(),
                "--token-file",
                cluster.home().resolve("data/berth/admin.token").toString());
        assertTrue(made.toString(), made.isWell());
        secret(file);
        return file;
    }

    @Test
    public void usersDoWhatTheirRolesAllowUntilTheirTokensAreRevoked() throws Exception {
        List<Setting> settings = List.of(
                Setting.berth("backend.local", "workers.max", 1),
                Setting.berth("backend.local", "worker.memory", "256m"));
        try (OutsideCluster cluster = OutsideCluster.start("users", settings)) {
            useTokens(cluster);
            String admin = firstToken(cluster);
            Path ann = token(cluster, "ann", "submitter");
            Path bob = token(cluster, "bob", "submitter");
            Path olga = token(cluster, "olga", "operator");
            String vic = Files.readString(token(cluster, "vic", "viewer")).strip();

            List<Route> routes = Route.all();
            assertTrue(routes.toString(), routes.size() > 30);
            for (Route route : routes) {
                assertEquals(
                        route.toString(),
                        401,
                        send(http, cluster.address(), route, Optional.empty()).status());
                assertEquals(
                        route.toString(),
                        401,
                        send(http, cluster.address(), route, Optional.of(admin + "x"))
                                .status());
                boolean shown = route.method().equals("GET") && !route.path().startsWith("tokens");
                int answer =
                        send(http, cluster.address(), route, Optional.of(vic)).status();
                assertEquals(route + " was answered " + answer, !shown, answer == 403);
            }
            for (String configuration : List.of("", "authentication = tokens\n", "body.timeout.ms = 5000\n")) {
                long logged = cluster.logged();
                cluster.configure("io.berth.ops.rest.cfg", configuration + "answer.timeout.ms = 9000\n");
                if (configuration.contains("tokens")) {
                    Await.until(
                            "the refusal",
                            LIMIT,
                            () -> cluster.loggedSince(logged)
                                    .contains("authentication is 'tokens': allowed are none and token"));
                }
                assertEquals(
                        "only 'none' turns it off",
                        401,
                        cluster.ask("/v1/status").status());
            }
            cluster.configure("io.berth.ops.rest.cfg", "authentication = token\n");
            assertEquals(
                    "health needs no token", 200, cluster.ask("/health/live").status());

            Job job = BerthClient.at(cluster.address(), ann)
                    .submit(JobDescription.named("numbers")
                            .bundle(BerthContainer.file("berth.sequence.jar").toPath())
                            .vertex(
                                    "sequence",
                                    "sequence",
                                    v -> v.set("records", 1L << 40).set("rate.per.second", 1_000))
                            .vertex("tally", "tally", v -> v.parallelism(1, 1))
                            .edge("sequence", "tally", Partitioning.REBALANCE)
                            .build());
            assertEquals(JobStatus.EXECUTING, job.awaitRunning(LIMIT).status());
            JsonNode seen = send(http, cluster.address(), new Route("GET", "jobs/" + job.id()), Optional.of(vic))
                    .body();
            assertEquals("ann", seen.get("submitter").asText());

            BerthException others = assertThrows(
                    BerthException.class,
                    () -> BerthClient.at(cluster.address(), bob).job(job.id()).cancel());
            assertEquals(BerthException.Kind.DENIED, others.kind());
            assertTrue(others.toString(), others.getMessage().contains("is of ann, and bob may only change own jobs"));
            Outcome denied = cluster.commandLine("cancel", job.id(), "--token-file", bob.toString());
            assertEquals(denied.toString(), 2, denied.exit());
            assertEquals(404, status(cluster, "DELETE", "tokens/nobody", admin));

            Outcome policy = cluster.commandLine(
                    "policy", "use", "matching", "spread", "--token-file", olga.toString(), "-o", "json");
            assertTrue(policy.toString(), policy.isWell());
            assertEquals(
                    "olga (REST)",
                    send(http, cluster.address(), new Route("GET", "policies"), Optional.of(vic))
                            .body()
                            .get("choices")
                            .findValuesAsText("by")
                            .stream()
                            .filter(by -> !by.isEmpty())
                            .findFirst()
                            .orElse("nobody"));

            Outcome listed = cluster.commandLine(
                    "token",
                    "list",
                    "--token-file",
                    cluster.home().resolve("data/berth/admin.token").toString());
            assertTrue(listed.toString(), listed.isWell() && listed.text().contains("ann"));
            Outcome jobs = cluster.commandLine("jobs", "--token-file", ann.toString());
            assertTrue(jobs.toString(), jobs.isWell() && jobs.text().contains(job.id()));

            Outcome revoked = cluster.commandLine(
                    "token",
                    "revoke",
                    "ann",
                    "--token-file",
                    cluster.home().resolve("data/berth/admin.token").toString());
            assertTrue(revoked.toString(), revoked.isWell());
            assertEquals(
                    401, status(cluster, "GET", "jobs", Files.readString(ann).strip()));
            Outcome canceled = cluster.commandLine("cancel", job.id(), "--token-file", olga.toString());
            assertTrue(canceled.toString(), canceled.isWell());

            cluster.kill();
            cluster.launch();
            Await.until("the next dispatcher knows its users", LIMIT, () -> {
                try {
                    return status(cluster, "GET", "jobs", vic) == 200;
                } catch (java.io.IOException notYet) {
                    return false;
                }
            });
            assertEquals(
                    401, status(cluster, "GET", "jobs", Files.readString(ann).strip()));
            assertEquals(200, status(cluster, "GET", "tokens", admin));
            assertEquals(401, cluster.ask("/v1/status").status());
            noLogHasSecrets(cluster);
        }
    }

    private void noLogHasSecrets(OutsideCluster cluster) throws Exception {
        List<Path> searched = new ArrayList<>();
        try (var files = Files.walk(cluster.home().resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (file.endsWith("admin.token")
                        || file.startsWith(cluster.home().resolve("data/cache"))) {
                    continue;
                }
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                for (String secret : secrets) {
                    String part = secret.substring(secret.indexOf('_', 6) + 1);
                    assertFalse(file + " has a token", text.contains(part));
                }
                searched.add(file);
            }
        }
        assertTrue(searched.toString(), searched.stream().anyMatch(file -> file.endsWith("karaf.log")));
        assertTrue(
                searched.toString(),
                searched.stream().anyMatch(file -> file.toString().contains("tokens")));
    }

    private static Optional<InetAddress> reachable() throws Exception {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && address.getAddress().length == 4)
                .findFirst();
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(0, process.exitValue());
    }

    private static HttpClient trusting(Path keystore) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keystore)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    @Test
    public void anAddressThatOthersReachIsForUsersOverTls() throws Exception {
        Optional<InetAddress> address = reachable();
        org.junit.Assume.assumeTrue("this machine has an address that others reach", address.isPresent());
        String host = address.get().getHostAddress();
        Path folder = Files.createTempDirectory(
                Files.createDirectories(Path.of(System.getProperty("berth.outside"))), "keys-");
        Path keystore = folder.resolve("rest.p12");
        run(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "rest",
                "-keyalg",
                "EC",
                "-dname",
                "CN=rest",
                "-ext",
                "san=ip:" + host,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                keystore.toString());
        int secure = FreePorts.next();
        String file = "org.apache.felix.http.cfg";
        List<Setting> settings = List.of(
                Setting.berth("backend.local", "workers.max", 0),
                new Setting(file, "org.apache.felix.http.host", "0.0.0.0"),
                new Setting(file, "org.apache.felix.https.enable", true),
                new Setting(file, "org.osgi.service.http.port.secure", secure),
                new Setting(file, "org.apache.felix.https.keystore", keystore),
                new Setting(file, "org.apache.felix.https.keystore.password", PASSWORD));
        try (OutsideCluster cluster = OutsideCluster.start("users-tls", settings)) {
            HttpClient overTls = trusting(keystore);
            String plain = cluster.address().replace("127.0.0.1", host);
            String tls = "https://" + host + ":" + secure;
            Route jobs = new Route("GET", "jobs");
            assertEquals(
                    200, send(http, cluster.address(), jobs, Optional.empty()).status());
            for (String at : List.of(plain, tls)) {
                Answer refused = send(overTls, at, jobs, Optional.empty());
                assertEquals(at, 403, refused.status());
                assertTrue(
                        refused.toString(), refused.body().get("error").asText().contains("authentication = token"));
            }

            useTokens(cluster);
            String admin = firstToken(cluster);
            assertEquals(200, send(overTls, tls, jobs, Optional.of(admin)).status());
            assertEquals(401, send(overTls, tls, jobs, Optional.empty()).status());
            assertEquals(
                    "the token would be read by others",
                    403,
                    send(http, plain, jobs, Optional.of(admin)).status());
            assertEquals(
                    200, send(http, cluster.address(), jobs, Optional.of(admin)).status());
        }
    }
}
