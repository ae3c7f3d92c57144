package io.berth.itests;

import static io.berth.itests.Await.LIMIT;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.itests.DocumentedCommands.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Somebody reads README.md and the pages of docs and types what they show, in a checkout of this build: the demo, the
 * tour on the cluster that it leaves, and everything else on that cluster.
 */
public class DocumentedCommandsIT {

    /** What a build leaves and {@code ./berth} uses, and what the pages name. */
    private static final List<String> PARTS = List.of(
            "pom.xml",
            "docs",
            "features",
            "karaf-assembly",
            "bundles/benchmark",
            "bundles/example-sequence",
            "bundles/example-service",
            "bundles/example-wordcount",
            "bundles/ops-cli",
            "bundles/simulator",
            "itests/sample-policy");

    private final ObjectMapper json = new ObjectMapper();
    private final Set<Path> clusters = new LinkedHashSet<>();
    private Path checkout;
    private Optional<Left> left = Optional.empty();
    /** Jobs that were submitted and not followed. */
    private final List<String> jobs = new ArrayList<>();
    /** Their workers when they began. */
    private final List<Set<String>> placed = new ArrayList<>();

    /** The cluster that a demo left running. */
    private record Left(String url, String workers, String shellPort, Path home, String stop) {

        static Left of(String printed) {
            String stop = found(printed, "stop (\\S+)");
            return new Left(
                    found(printed, "BERTH_URL=(\\S+?)\\)"),
                    found(printed, "--master (\\S+)"),
                    found(printed, "ssh -p (\\d+)"),
                    Path.of(stop).getParent().getParent(),
                    stop);
        }

        private static String found(String printed, String pattern) {
            Matcher matcher = Pattern.compile(pattern).matcher(printed);
            assertTrue(pattern + " in " + printed, matcher.find());
            return matcher.group(1);
        }
    }

    /** Links in the place of the folders, so that the script finds a build and nothing newer than it. */
    @Before
    public void makeACheckout() throws IOException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("berth.outside")));
        checkout = Files.createTempDirectory(folder, "checkout-");
        Path root = DocumentedCommands.ROOT.toRealPath();
        Files.copy(root.resolve("berth"), checkout.resolve("berth"));
        assertTrue(checkout.resolve("berth").toFile().setExecutable(true));
        for (String part : PARTS) {
            Path link = checkout.resolve(part);
            Files.createDirectories(link.getParent());
            Files.createSymbolicLink(link, root.resolve(part));
        }
        Files.writeString(checkout.resolve("book1.txt"), "the quick brown fox and the lazy dog\n");
        Files.writeString(checkout.resolve("book2.txt"), "the end\n");
        Files.writeString(
                checkout.resolve("JOB.yaml"),
                Files.readString(root.resolve("docs/examples/sequence.yaml"))
                        .replace("file:../../", "file:")
                        .replace("6000000", "1000"));
    }

    @After
    public void endWhatIsLeft() throws Exception {
        for (Path home : clusters) {
            processes(home).forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<ProcessHandle> processes(Path home) {
        List<ProcessHandle> all = new ArrayList<>(WorkerProcesses.below(home));
        ProcessHandle.allProcesses()
                .filter(process -> WorkerProcesses.commandLine(process).contains("-Dkaraf.home=" + home + " "))
                .forEach(all::add);
        return all;
    }

    @Test
    public void whatThePagesShowCanBeTyped() throws Exception {
        DocumentedCommands commands = DocumentedCommands.read();
        assertTrue(commands.typed().toString(), commands.typed().size() >= 35);
        assertEquals(
                "commands and options of tools that are shown and not there",
                List.of(),
                commands.missing(DocumentedCommands.OF_TOOLS, true, this::help));
        List<String> shell = new ArrayList<>();
        for (Command command : commands.typed()) {
            if (command.text().startsWith("berth> ")) {
                shell.add(command.text().substring("berth> ".length()));
            } else {
                shell(shell);
                shell.clear();
                follow(command);
            }
        }
        assertEquals("the tour submits two jobs that run on", 2, placed.size());
        assertNotEquals("the second job of the tour is on the other worker", placed.get(0), placed.get(1));
        stop();
        Left master = Left.of(typed("./berth master start --free-ports")
                .replace("stop ./berth", "stop " + checkout.resolve(".berth/master/bin/berth")));
        clusters.add(master.home());
        left = Optional.of(master);
        typed("./berth status");
        typed("./berth master stop");
        assertEquals("what ./berth master stop leaves", List.of(), processes(master.home()));
    }

    private void follow(Command command) throws Exception {
        String text = command.text();
        if (text.startsWith("./berth demo")) {
            stop();
            String printed = typed(text);
            if (text.contains("--keep")) {
                left = Optional.of(Left.of(printed));
                clusters.add(left.get().home());
                jobs.clear();
            }
        } else if (text.startsWith("./berth worker --")) {
            joins(filledIn(text));
        } else if (text.startsWith("sed -i ")) {
            edits(text);
        } else if (text.startsWith("grep ")) {
            Outcome.of(left.get().home(), environment(), "", List.of("bash", "-e", "-c", text))
                    .well();
        } else {
            String printed = typed(filledIn(text));
            if (text.endsWith("--detach") && !text.contains("JOB.yaml")) {
                jobs.add(printed.strip().substring(printed.strip().lastIndexOf('\n') + 1));
                Await.until(
                        "job " + jobs + " runs",
                        LIMIT,
                        () -> details(jobs.get(jobs.size() - 1))
                                .get("status")
                                .asText()
                                .equals("Executing"));
                placed.add(workers(jobs.get(jobs.size() - 1)));
            }
        }
    }

    /** With what the pages leave to the reader: ports, ids and numbers. */
    private String filledIn(String text) throws Exception {
        String filled = text.replace("127.0.0.1:7077", left.get().workers())
                .replace("http://127.0.0.1:8181", left.get().url());
        if (filled.matches("[.]/berth (job|scale|cancel) .*")) {
            filled = filled.replace(" ID", " " + jobs.get(0));
        }
        if (filled.contains("words-1")) {
            filled = filled.replace("words-1", jobs.get(0));
        }
        if (filled.contains("worker-1")) {
            filled = filled.replace(
                    "worker-1", workers(jobs.get(jobs.size() - 1)).first());
        }
        if (filled.contains("decision 1234")) {
            String number = ask("./berth -o json decisions --limit 1")
                    .findValue("number")
                    .asText();
            filled = filled.replace("1234", number);
        }
        return filled;
    }

    /** A worker that joins by hand runs until it is ended. */
    private void joins(String command) throws Exception {
        Process worker = new ProcessBuilder("bash", "-c", "exec " + command)
                .directory(checkout.toFile())
                .redirectErrorStream(true)
                .redirectOutput(checkout.resolve("worker.log").toFile())
                .start();
        try {
            Await.until(
                    () -> "worker-a joins; it printed " + printed(checkout.resolve("worker.log")),
                    LIMIT,
                    () -> typed("./berth workers").contains("worker-a registered"));
            String drained = typed("./berth worker drain worker-a --wait");
            assertTrue(drained, drained.contains("Worker worker-a takes no slots and leaves when it is empty"));
            assertTrue("nobody can start it again", worker.isAlive());
            assertTrue(typed("./berth workers").contains("when it is empty"));
            String back = typed("./berth worker undrain worker-a");
            assertTrue(back, back.contains("Worker worker-a takes slots again"));
        } finally {
            worker.destroy();
            worker.waitFor();
        }
    }

    private static String printed(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    /** In a copy of the settings of the cluster, which it must change. */
    private void edits(String command) throws Exception {
        Matcher file = Pattern.compile("etc/\\S+$").matcher(command);
        assertTrue(command, file.find());
        Path copy = checkout.resolve("edited").resolve(file.group());
        Files.createDirectories(copy.getParent());
        Files.copy(left.get().home().resolve(file.group()), copy);
        String before = Files.readString(copy);
        Outcome.of(checkout.resolve("edited"), environment(), "", List.of("bash", "-e", "-c", command))
                .well();
        assertNotEquals(command + " changes nothing", before, Files.readString(copy));
    }

    private void shell(List<String> lines) throws Exception {
        if (!lines.isEmpty()) {
            String kar = BerthContainer.file("berth.sample.kar").getAbsolutePath();
            String printed = OutsideCluster.shell(
                            left.get().home(),
                            left.get().shellPort(),
                            lines.stream()
                                    .map(line -> line.replace("/path/to/last-fit-1.0.0.kar", kar))
                                    .toArray(String[]::new))
                    .well()
                    .text();
            assertTrue(printed, printed.contains("From the next decision on: matching last-fit"));
        }
    }

    private void stop() throws Exception {
        if (left.isPresent()) {
            Path home = left.get().home();
            typed(left.get().stop());
            assertEquals("processes that bin/stop leaves", List.of(), processes(home));
            left = Optional.empty();
        }
    }

    private JsonNode details(String job) throws Exception {
        return ask("./berth -o json job " + job);
    }

    /** Waits, because a job that moves has no slots for a moment. */
    private TreeSet<String> workers(String job) throws Exception {
        TreeSet<String> workers = new TreeSet<>();
        Await.until("job " + job + " has slots", LIMIT, () -> {
            ask("./berth -o json slots").forEach(slot -> {
                if (slot.get("job").asText().equals(job)) {
                    workers.add(slot.get("worker").asText());
                }
            });
            return !workers.isEmpty();
        });
        return workers;
    }

    private JsonNode ask(String command) throws Exception {
        return json.readTree(typed(command));
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        environment.put("EXTRA_JAVA_OPTS", BerthContainer.COMPILER);
        left.ifPresent(cluster -> environment.put("BERTH_URL", cluster.url()));
        return environment;
    }

    private String typed(String command) throws Exception {
        try {
            return Outcome.of(checkout, environment(), "", List.of("bash", "-e", "-c", command))
                    .well()
                    .text();
        } catch (AssertionError failure) {
            throw new AssertionError(command + ": " + failure.getMessage(), failure);
        }
    }

    /** What is printed, with all blanks. */
    private String help(List<String> command) throws Exception {
        Path file = checkout.resolve("printed");
        typed("./berth " + String.join(" ", command) + " --help >" + file);
        return Files.readString(file);
    }
}
