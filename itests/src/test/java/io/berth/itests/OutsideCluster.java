package io.berth.itests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The assembly as a user runs it: unpacked into its own folder, started by its script, used over REST. Closing it
 * kills all its remaining processes.
 */
final class OutsideCluster implements AutoCloseable {

    /** Bundles of Karaf with commands that tests type, and one of them that changes nothing. */
    private static final Map<String, String> SHELLS = Map.of(
            "org.apache.karaf.bundle.core", "bundle:list",
            "org.apache.karaf.config.command", "config:list",
            "org.apache.karaf.kar.core", "kar:list");

    private static final String REGISTERED = "Registering commands for bundle ";

    private static final Duration START = Duration.ofSeconds(180);

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    private final Path home;
    private final int port;
    private final int sshPort;
    private Process script;

    private OutsideCluster(Path home, int port, int sshPort) {
        this.home = home;
        this.port = port;
        this.sshPort = sshPort;
    }

    /** The response of REST. */
    record Answer(int status, JsonNode body) {}

    /** One key of a file in etc. */
    record Setting(String file, String key, Object value) {

        static Setting berth(String pid, String key, Object value) {
            return new Setting("io.berth." + pid + ".cfg", key, value);
        }
    }

    /** Unpacks the assembly, sets free ports and the settings, starts it and waits until REST answers. */
    static OutsideCluster start(String name, List<Setting> settings) throws Exception {
        return start(name, 0, settings);
    }

    /** The same, with a given port for workers. */
    static OutsideCluster start(String name, int port, List<Setting> settings) throws Exception {
        List<Setting> all = new ArrayList<>(settings);
        all.add(Setting.berth("core.rpc", "port", port));
        OutsideCluster cluster = unpacked(name, all);
        try {
            cluster.start();
        } catch (Exception | AssertionError failure) {
            cluster.close();
            throw failure;
        }
        return cluster;
    }

    /**
     * One role in its own process, as docs/roles.md describes it: its feature replaces {@code berth}. Starts it
     * without waiting.
     */
    static OutsideCluster role(String name, String feature, List<Setting> settings) throws Exception {
        OutsideCluster role = unpacked(name, settings);
        Path boot = role.home.resolve("etc").resolve("org.apache.karaf.features.cfg");
        Files.writeString(boot, Files.readString(boot).replaceAll("\\bberth/(?=[0-9])", feature + "/"));
        role.launch();
        return role;
    }

    private static OutsideCluster unpacked(String name, List<Setting> settings) throws Exception {
        Path folder = Files.createDirectories(Path.of(System.getProperty("berth.outside")));
        Path home = Files.createTempDirectory(folder, name + "-");
        run(
                folder,
                "tar",
                "-xzf",
                BerthContainer.file("berth.assembly").getPath(),
                "-C",
                home.toString(),
                "--strip-components=1");
        OutsideCluster cluster = new OutsideCluster(home, FreePorts.next(), FreePorts.next());
        List<Setting> all = new ArrayList<>();
        all.add(Setting.berth("core.resources", "worker.java.options", BerthContainer.WORKER_OPTIONS));
        all.addAll(settings);
        all.add(new Setting("org.apache.felix.http.cfg", "org.osgi.service.http.port", cluster.port));
        all.add(new Setting("org.apache.karaf.shell.cfg", "sshPort", cluster.sshPort));
        for (Setting setting : all) {
            cluster.set(setting);
        }
        return cluster;
    }

    private static void run(Path folder, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException("failed: " + List.of(command));
        }
    }

    private void set(Setting setting) throws IOException {
        Path file = home.resolve("etc").resolve(setting.file());
        Pattern there = Pattern.compile("\\s*" + Pattern.quote(setting.key()) + "\\s*=.*");
        List<String> lines = new ArrayList<>(Files.readAllLines(file));
        lines.removeIf(line -> there.matcher(line).matches());
        lines.add(setting.key() + " = " + setting.value());
        Files.write(file, lines);
    }

    /** Starts again what was stopped or killed, with its data. */
    void start() throws Exception {
        long logged = size(karafLog());
        launch();
        Await.until(() -> "the boot is done and REST answers; see " + consoleLog(), START, () -> {
            checkAlive();
            try {
                return isBooted() && commandsAreThere(logged) && restAnswers();
            } catch (IOException | UncheckedIOException notYet) {
                return false;
            }
        });
    }

    /** Waits until it is booted and its log contains the text. */
    void awaitLog(String text) throws Exception {
        Await.until(() -> "'" + text + "' in " + karafLog(), START, () -> {
            checkAlive();
            return hasLogged(text);
        });
    }

    boolean hasLogged(String text) throws IOException {
        return Files.exists(karafLog()) && Files.readString(karafLog()).contains(text);
    }

    private void checkAlive() {
        if (!script.isAlive()) {
            throw new AssertionError("the control plane ended with " + script.exitValue() + ", see " + consoleLog());
        }
    }

    boolean restAnswers() throws InterruptedException {
        try {
            return send(HttpRequest.newBuilder(uri("status")).GET()).statusCode() == 200;
        } catch (IOException | UncheckedIOException notYet) {
            return false;
        }
    }

    /** The current length of its log. */
    long logged() throws IOException {
        return size(karafLog());
    }

    /** The log since then; all of it if the log was started again. */
    String loggedSince(long from) throws IOException {
        byte[] log = Files.exists(karafLog()) ? Files.readAllBytes(karafLog()) : new byte[0];
        int begin = from <= log.length ? (int) from : 0;
        return new String(log, begin, log.length - begin, StandardCharsets.UTF_8);
    }

    private File consoleLog() {
        return home.resolve("console.log").toFile();
    }

    /** Starts it without waiting for anything. */
    void launch() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("bin").resolve("karaf").toString(), "server");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_") || name.equals("JAVA_OPTS"));
        builder.environment().put("EXTRA_JAVA_OPTS", BerthContainer.COMPILER);
        script = builder.redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(consoleLog()))
                .directory(home.toFile())
                .start();
        script.getOutputStream().close();
    }

    Path home() {
        return home;
    }

    /**
     * A first boot restarts the features service and much else; bundles that are installed meanwhile may not be
     * resolved.
     */
    private boolean isBooted() throws IOException {
        try (Stream<Path> files = Files.find(
                home.resolve("data").resolve("cache"),
                3,
                (path, attributes) -> path.endsWith(Path.of("data", "state.json")))) {
            for (Path file : files.toList()) {
                if (Files.readString(file).contains("\"bootDone\":true")) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Commands are registered on separate threads. A first boot restarts the logging too, and what is logged meanwhile is
     * lost, so commands that the log does not name are tried.
     */
    private boolean commandsAreThere(long from) throws Exception {
        String text = loggedSince(from);
        List<String> unknown = SHELLS.keySet().stream()
                .filter(bundle -> !text.contains(REGISTERED + bundle))
                .toList();
        return text.contains(REGISTERED + "io.berth.ops.shell")
                && (unknown.isEmpty()
                        || shell(unknown.stream().map(SHELLS::get).toArray(String[]::new))
                                .isWell());
    }

    private Path karafLog() {
        return home.resolve("data").resolve("log").resolve("karaf.log");
    }

    private static long size(Path file) throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /** Stops the control plane as an operator does. */
    void stop() throws Exception {
        end(controlPlane().destroy());
    }

    /** Kills it without a chance to write anything. */
    void kill() throws Exception {
        end(controlPlane().destroyForcibly());
    }

    /** Sends STOP or CONT to a process of this machine. */
    static void signal(ProcessHandle process, String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
            throw new IOException("no signal " + name + " to " + process.pid());
        }
    }

    private void end(boolean asked) throws Exception {
        if (!asked || !script.waitFor(120, TimeUnit.SECONDS)) {
            throw new AssertionError("the control plane does not end, see " + home.resolve("console.log"));
        }
    }

    /** The command line, as {@code ./berth} runs it. */
    Outcome commandLine(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                BerthContainer.COMPILER,
                "-jar",
                BerthContainer.file("berth.cli").getPath()));
        command.addAll(List.of(arguments));
        return Outcome.of(home, Map.of("BERTH_URL", address(), "BERTH_COLUMNS", "1000"), "", command);
    }

    /** The Karaf shell: several commands in one session, over ssh. */
    Outcome shell(String... commands) throws Exception {
        return shell(home, Integer.toString(sshPort), commands);
    }

    /** The same of any control plane. */
    static Outcome shell(Path home, String port, String... commands) throws Exception {
        return Outcome.of(
                home,
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                String.join("\n", commands) + "\n",
                List.of(
                        home.resolve("bin").resolve("client").toString(),
                        "-h",
                        "127.0.0.1",
                        "-a",
                        port,
                        "-u",
                        "berth",
                        "-p",
                        "berth",
                        "-r",
                        "30",
                        "-d",
                        "1",
                        "-b"));
    }

    String address() {
        return "http://127.0.0.1:" + port;
    }

    /** The JVM of the control plane. */
    ProcessHandle controlPlane() {
        String mark = "-Dkaraf.home=" + home + " ";
        return ProcessHandle.allProcesses()
                .filter(process -> WorkerProcesses.commandLine(process).contains(mark))
                .filter(process -> WorkerProcesses.commandLine(process).contains("org.apache.karaf.main.Main"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no control plane in " + home));
    }

    List<ProcessHandle> workers() {
        return WorkerProcesses.below(home);
    }

    /** Asks for something that is not below {@code /v1}, or that is refused; fails if nobody answers. */
    Answer ask(String path) throws IOException, InterruptedException {
        HttpResponse<String> response =
                send(HttpRequest.newBuilder(URI.create(address() + path)).GET());
        return new Answer(response.statusCode(), json.readTree(response.body()));
    }

    private URI uri(String path) {
        return URI.create(address() + "/v1/" + path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
    }

    private JsonNode ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = send(request);
        if (response.statusCode() >= 300) {
            throw new AssertionError(
                    response.request() + " was answered " + response.statusCode() + ": " + response.body());
        }
        return json.readTree(response.body());
    }

    JsonNode get(String path) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(uri(path)).GET());
    }

    /** Changes something; the answer may be a rejection. */
    Answer send(String method, String path, Object body) throws IOException, InterruptedException {
        HttpResponse<String> response = send(HttpRequest.newBuilder(uri(path))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.equals("")
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(json.writeValueAsString(body))));
        return new Answer(response.statusCode(), json.readTree(response.body()));
    }

    /** Uploads a bundle of user code and returns its hash. */
    String bundle(Path jar) throws Exception {
        byte[] content = Files.readAllBytes(jar);
        String sha256 =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        ask(HttpRequest.newBuilder(uri("bundles/" + sha256))
                .header("Content-Type", "application/octet-stream")
                .PUT(BodyPublishers.ofByteArray(content)));
        return sha256;
    }

    /** Submits a job and returns its id. */
    String submit(String description) throws IOException, InterruptedException {
        return ask(HttpRequest.newBuilder(uri("jobs"))
                        .header("Content-Type", "application/yaml")
                        .POST(BodyPublishers.ofString(description)))
                .get("id")
                .asText();
    }

    /** Submits a job that is refused, and returns why. */
    String refused(String description) throws IOException, InterruptedException {
        HttpResponse<String> response = send(HttpRequest.newBuilder(uri("jobs"))
                .header("Content-Type", "application/yaml")
                .POST(BodyPublishers.ofString(description)));
        if (response.statusCode() != 400 && response.statusCode() != 422) {
            throw new AssertionError("the job was answered " + response.statusCode() + ": " + response.body());
        }
        return response.body();
    }

    /** Writes a file in etc of the running cluster. */
    void configure(String file, String text) throws IOException {
        // At once: who looks in between would find an empty file, and Karaf would write that back.
        Path written = Files.writeString(home.resolve("data").resolve(file), text);
        Files.move(written, home.resolve("etc").resolve(file), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes a file from etc. */
    void removeConfiguration(String file) throws IOException {
        Files.deleteIfExists(home.resolve("etc").resolve(file));
    }

    /** Waits for a state of a job. If the job ends otherwise, the test fails at once. */
    JsonNode await(String job, String what, Duration limit, Predicate<JsonNode> condition) throws Exception {
        JsonNode[] last = {get("jobs/" + job)};
        Await.until(() -> "job " + job + " " + what + ", but it is " + last[0], limit, () -> {
            last[0] = get("jobs/" + job);
            if (condition.test(last[0])) {
                return true;
            }
            if (List.of("Finished", "Failed", "Canceled")
                    .contains(last[0].get("status").asText())) {
                throw new AssertionError("job " + job + " should be " + what + ", but it is " + last[0]);
            }
            return false;
        });
        return last[0];
    }

    JsonNode finished(String job, Duration limit) throws Exception {
        return await(
                job,
                "finished",
                limit,
                details -> details.get("status").asText().equals("Finished"));
    }

    JsonNode running(String job, Duration limit) throws Exception {
        return await(job, "running", limit, details -> {
            JsonNode vertices = details.get("vertices");
            return details.get("status").asText().equals("Executing")
                    && vertices.get(vertices.size() - 1).get("recordsIn").asLong() > 0;
        });
    }

    void workers(int count, Duration limit) throws Exception {
        Await.until(
                count + " workers registered",
                limit,
                () -> get("status").get("workers").asInt() == count);
    }

    @Override
    public void close() throws Exception {
        script.destroyForcibly();
        // The control plane first: it would start other workers.
        end(ProcessHandle.allProcesses()
                .filter(process -> WorkerProcesses.commandLine(process).contains("-Dkaraf.home=" + home + " "))
                .toList());
        end(workers());
    }

    private static void end(List<ProcessHandle> left) throws Exception {
        left.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle process : left) {
            process.onExit().get(20, TimeUnit.SECONDS);
        }
    }
}
