package io.berth.itests;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The exit code of a command that a user types, and all its output. */
record Outcome(int exit, String text) {

    private static final long LIMIT_SECONDS = 600;

    /** Runs a command. If it does not end, it is killed and the test fails. */
    static Outcome of(Path folder, Map<String, String> environment, String input, List<String> command)
            throws IOException, InterruptedException {
        Path in = Files.writeString(Files.createTempFile("command", ".in"), input);
        Path out = Files.createTempFile("command", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(in.toFile())
                    .redirectOutput(out.toFile());
            builder.environment()
                    .keySet()
                    .removeIf(name -> name.startsWith("KARAF_")
                            || name.startsWith("BERTH_")
                            || name.startsWith("MAVEN_")
                            || name.equals("JAVA_OPTS"));
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError(command + " does not end; it printed " + text(out));
            }
            return new Outcome(process.exitValue(), text(out));
        } finally {
            Files.delete(in);
            Files.delete(out);
        }
    }

    /** Without colors, and with single blanks. */
    private static String text(Path out) throws IOException {
        return Files.readString(out, StandardCharsets.UTF_8)
                .replaceAll("\u001b\\[[0-9;?]*[a-zA-Z]", "")
                .replace("\r", "")
                .replaceAll("[ \t]+", " ");
    }

    /** Whether the command succeeded. */
    boolean isWell() {
        return exit == 0 && !text.contains("Error executing command") && !text.contains("Command not found");
    }

    /** The same, if the command succeeded. */
    Outcome well() {
        if (!isWell()) {
            throw new AssertionError("exit code " + exit + ": " + text);
        }
        return this;
    }
}
