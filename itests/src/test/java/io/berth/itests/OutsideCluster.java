package io.berth.itests;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The assembly as a user runs it: unpacked into a folder of its own, started by its script, spoken to over REST. Closing
 * it kills whatever is left of it.
 */
final class OutsideCluster implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(90);

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
  private final Path home;
  private final int port;
  private Process script;

  private OutsideCluster(Path home, int port) {
    this.home = home;
    this.port = port;
  }

  /** One key of a file in etc. */
  record Setting(String file, String key, Object value) {

    static Setting berth(String pid, String key, Object value) {
      return new Setting("io.berth." + pid + ".cfg", key, value);
    }
  }

  /** Unpacks the assembly, puts it on free ports, makes the settings, starts it and waits until REST answers. */
  static OutsideCluster start(String name, List<Setting> settings) throws Exception {
    Path folder = Files.createDirectories(Path.of(System.getProperty("berth.outside")));
    Path home = Files.createTempDirectory(folder, name + "-");
    run(folder, "tar", "-xzf", BerthContainer.file("berth.assembly").getPath(), "-C", home.toString(),
        "--strip-components=1");
    OutsideCluster cluster = new OutsideCluster(home, BerthContainer.freePort());
    List<Setting> all = new ArrayList<>(settings);
    all.add(new Setting("org.apache.felix.http.cfg", "org.osgi.service.http.port", cluster.port));
    all.add(new Setting("org.apache.karaf.shell.cfg", "sshPort", BerthContainer.freePort()));
    all.add(Setting.berth("core.rpc", "port", 0));
    for (Setting setting : all) {
      cluster.set(setting);
    }
    try {
      cluster.start();
    } catch (Exception | AssertionError failure) {
      cluster.close();
      throw failure;
    }
    return cluster;
  }

  private static void run(Path folder, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
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

  private void start() throws Exception {
    ProcessBuilder builder = new ProcessBuilder(home.resolve("bin").resolve("karaf").toString(), "server");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_") || name.equals("JAVA_OPTS"));
    File log = home.resolve("console.log").toFile();
    script = builder.redirectErrorStream(true).redirectOutput(log).directory(home.toFile()).start();
    script.getOutputStream().close();
    Await.until(() -> "REST answers; see " + log, START, () -> {
      if (!script.isAlive()) {
        throw new AssertionError("the control plane ended with " + script.exitValue() + ", see " + log);
      }
      try {
        return send(HttpRequest.newBuilder(uri("status")).GET()).statusCode() == 200;
      } catch (IOException notYet) {
        return false;
      }
    });
  }

  Path home() {
    return home;
  }

  /** The JVM of the control plane. */
  ProcessHandle controlPlane() {
    String mark = "-Dkaraf.home=" + home + " ";
    return ProcessHandle.allProcesses()
        .filter(process -> WorkerProcesses.commandLine(process).contains(mark))
        .filter(process -> WorkerProcesses.commandLine(process).contains("org.apache.karaf.main.Main"))
        .findFirst().orElseThrow(() -> new AssertionError("no control plane in " + home));
  }

  List<ProcessHandle> workers() {
    return WorkerProcesses.below(home);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + "/v1/" + path);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.timeout(Duration.ofSeconds(20)).build(), BodyHandlers.ofString());
  }

  private JsonNode ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> response = send(request);
    if (response.statusCode() >= 300) {
      throw new AssertionError(response.request() + " was answered " + response.statusCode() + ": " + response.body());
    }
    return json.readTree(response.body());
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(uri(path)).GET());
  }

  /** Uploads a bundle of user code; its hash. */
  String bundle(Path jar) throws Exception {
    byte[] content = Files.readAllBytes(jar);
    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    ask(HttpRequest.newBuilder(uri("bundles/" + sha256)).header("Content-Type", "application/octet-stream")
        .PUT(BodyPublishers.ofByteArray(content)));
    return sha256;
  }

  /** Submits a job; its id. */
  String submit(String description) throws IOException, InterruptedException {
    return ask(HttpRequest.newBuilder(uri("jobs")).header("Content-Type", "application/yaml")
        .POST(BodyPublishers.ofString(description))).get("id").asText();
  }

  /** Waits for a state of a job; one that ended otherwise fails the test at once. */
  JsonNode await(String job, String what, Duration limit, Predicate<JsonNode> condition) throws Exception {
    JsonNode[] last = {get("jobs/" + job)};
    Await.until(() -> "job " + job + " " + what + ", but it is " + last[0], limit, () -> {
      last[0] = get("jobs/" + job);
      if (condition.test(last[0])) {
        return true;
      }
      if (List.of("Finished", "Failed", "Canceled").contains(last[0].get("status").asText())) {
        throw new AssertionError("job " + job + " should be " + what + ", but it is " + last[0]);
      }
      return false;
    });
    return last[0];
  }

  JsonNode finished(String job, Duration limit) throws Exception {
    return await(job, "finished", limit, details -> details.get("status").asText().equals("Finished"));
  }

  JsonNode running(String job, Duration limit) throws Exception {
    return await(job, "running", limit, details -> {
      JsonNode vertices = details.get("vertices");
      return details.get("status").asText().equals("Executing")
          && vertices.get(vertices.size() - 1).get("recordsIn").asLong() > 0;
    });
  }

  void workers(int count, Duration limit) throws Exception {
    Await.until(count + " workers registered", limit, () -> get("status").get("workers").asInt() == count);
  }

  @Override
  public void close() throws Exception {
    script.destroyForcibly();
    List<ProcessHandle> left = new ArrayList<>(workers());
    ProcessHandle.allProcesses()
        .filter(process -> WorkerProcesses.commandLine(process).contains("-Dkaraf.home=" + home + " "))
        .forEach(left::add);
    left.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : left) {
      process.onExit().get(20, TimeUnit.SECONDS);
    }
  }
}
