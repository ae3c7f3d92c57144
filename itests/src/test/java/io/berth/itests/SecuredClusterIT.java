package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.itests.OutsideCluster.Setting;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * A control plane and workers with certificates of {@code berth security}, as docs/security.md says: a job runs through,
 * certificates are replaced while one runs, and who does not belong is out.
 */
public class SecuredClusterIT {

    private final List<Process> started = new ArrayList<>();
    private final int port = FreePorts.next();
    private Path certificates;
    private OutsideCluster cluster;

    @Before
    public void begin() throws Exception {
        certificates = Files.createTempDirectory(
                        Files.createDirectories(Path.of(System.getProperty("berth.outside"))), "certificates-")
                .resolve("cluster");
        security("init", "--cluster", "test");
        security("issue", "w-1");
        security("issue", "w-2");
        cluster = OutsideCluster.start(
                "secured",
                port,
                List.of(
                        Setting.berth("core.security", "folder", process("control-plane")),
                        Setting.berth("backend.local", "workers.max", 0)));
    }

    @After
    public void end() throws Exception {
        for (Process process : started) {
            process.destroyForcibly();
            assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private Path process(String name) {
        return certificates.resolve("processes").resolve(name);
    }

    /** {@code berth security VERB DIR ARGUMENTS}, without a control plane. */
    private Outcome security(String verb, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                BerthContainer.COMPILER,
                "-jar",
                BerthContainer.file("berth.cli").getPath(),
                "security",
                verb,
                certificates.toString()));
        command.addAll(List.of(arguments));
        return Outcome.of(certificates.getParent(), Map.of("BERTH_COLUMNS", "1000"), "", command)
                .well();
    }

    private Process worker(String id, List<String> more) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                BerthContainer.COMPILER,
                "-jar",
                cluster.home().resolve("worker/lib/berth-worker.jar").toString(),
                "--master",
                "127.0.0.1:" + port,
                "--id",
                id,
                "--cpu",
                "2",
                "--slots",
                "2",
                "--memory",
                "256m"));
        command.addAll(more);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log(id).toFile()))
                .start();
        started.add(process);
        return process;
    }

    private Process worker(String id) throws IOException {
        return worker(id, List.of("--security", process(id).toString()));
    }

    private Path log(String id) {
        return cluster.home().resolve(id + ".log");
    }

    private void awaitLog(String id, String text) throws Exception {
        Await.until(
                () -> "'" + text + "' in " + log(id),
                LIMIT,
                () -> Files.exists(log(id)) && Files.readString(log(id)).contains(text));
    }

    private boolean isRegistered(String id) throws Exception {
        for (var worker : cluster.get("workers")) {
            if (worker.get("id").asText().equals(id)) {
                return true;
            }
        }
        return false;
    }

    @Test
    public void jobsRunAndCertificatesAreReplacedMeanwhile() throws Exception {
        worker("w-1");
        worker("w-2");
        cluster.workers(2, LIMIT);
        Path text = Cluster.file("berth.text");
        Path output = Files.createDirectory(certificates.resolveSibling("counts"));
        String words = cluster.bundle(Cluster.file("berth.wordcount.jar"));
        cluster.finished(cluster.submit(Jobs.wordCount("words", words, text, output, 4, 4)), LIMIT);
        assertEquals(Texts.lines(Texts.words(text), 1), Files.readAllLines(output.resolve("counts.tsv")));

        String numbers = cluster.bundle(Cluster.file("berth.sequence.jar"));
        Path last = certificates.resolveSibling("last");
        String job = cluster.submit(Jobs.until(last, Jobs.sequence("numbers", numbers, 4_000, 2_000, 4, 4)));
        cluster.running(job, LIMIT);
        long logged = cluster.logged();
        security("issue", "control-plane", "--role", "control-plane,job-master");
        security("issue", "w-1");
        security("issue", "w-2");
        Await.until(
                "new certificates are used",
                LIMIT,
                () -> cluster.loggedSince(logged).contains("the certificates of " + process("control-plane"))
                        && Files.readString(log("w-1")).contains("the certificates of " + process("w-1"))
                        && Files.readString(log("w-2")).contains("the certificates of " + process("w-2")));
        Files.createFile(last);
        var finished = cluster.finished(job, LIMIT);
        assertEquals(0, finished.get("restarts").asInt());
        assertEquals(2, cluster.get("status").get("workers").asInt());
    }

    @Test
    public void whoDoesNotBelongIsOut() throws Exception {
        Process first = worker("w-1");
        worker("w-2");
        cluster.workers(2, LIMIT);

        worker("plain", List.of());
        cluster.awaitLog("it does not speak TLS");
        Process other = worker("w-3", List.of("--security", process("w-1").toString()));
        assertTrue(other.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS));
        awaitLog("w-3", "id is 'w-3': allowed is the worker of the certificate, which is that of worker w-1");
        Files.copy(
                certificates.resolve("authority").resolve("ca.pem"),
                Files.createDirectory(certificates.resolveSibling("empty")).resolve("ca.pem"));
        Process none = worker(
                "w-4",
                List.of("--security", certificates.resolveSibling("empty").toString()));
        assertTrue(none.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(2, none.exitValue());
        awaitLog("w-4", "certificate.pem cannot be read: it does not exist");
        Process open = worker("w-5", List.of("--host", "0.0.0.0"));
        assertTrue(open.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS));
        assertEquals(2, open.exitValue());
        awaitLog("w-5", "argument --host is '0.0.0.0'");

        security("revoke", "w-2");
        long began = System.nanoTime();
        Await.until("w-2 is out", LIMIT, () -> cluster.hasLogged("its peer is not trusted any more"));
        System.out.printf("out %.1f s after it was revoked%n", (System.nanoTime() - began) / 1e9);
        Await.until("w-2 is given up", LIMIT, () -> !isRegistered("w-2"));
        assertTrue("others stay", isRegistered("w-1") && first.isAlive());
        assertTrue(security("list").text().contains("revoked"));
    }
}
