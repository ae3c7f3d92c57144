package io.berth.itests;

import io.berth.itests.stub.StubCluster;
import io.berth.itests.stub.StubLoad;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of {@link StubCluster} and its commands. One caller at a time. */
final class StubProcess implements AutoCloseable {

    private final Process process;
    private final BufferedWriter commands;
    private final BufferedReader answers;

    /** @param classes the path of its classes, see {@link SoakOptions} */
    StubProcess(String classes, String resourceManager, StubLoad load, Path log) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                        "-cp",
                        classes,
                        StubCluster.class.getName(),
                        resourceManager,
                        load.text())
                .redirectError(log.toFile())
                .start();
        commands = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    synchronized List<String> ask(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        List<String> lines = new ArrayList<>();
        for (String line = answers.readLine(); !".".equals(line); line = answers.readLine()) {
            if (line == null) {
                throw new IOException("the stubs ended during the command " + command);
            }
            lines.add(line);
        }
        return lines;
    }

    int number(String command) throws IOException {
        return Integer.parseInt(ask(command).get(0));
    }

    /** All its workers and jobs vanish at once. */
    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly();
        process.waitFor(10, TimeUnit.SECONDS);
    }
}
