package io.berth.simulator.seed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM with another heap size, another garbage collector and another order of identity hashes. It runs a class of the
 * tests.
 */
public final class AnotherJvm {

    private final Process process;
    private final Path output;

    private AnotherJvm(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** @param output the file for its output */
    public static AnotherJvm start(Class<?> main, Path output) throws IOException {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return new AnotherJvm(
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:+UnlockExperimentalVMOptions",
                                "-XX:hashCode=2",
                                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                                "-cp",
                                classPath,
                                main.getName())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start(),
                output);
    }

    /** Its output, at its end. */
    public List<String> lines() throws IOException, InterruptedException {
        if (!process.waitFor(5, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IllegalStateException("the other JVM has not ended after five minutes");
        }
        return Files.readAllLines(output, StandardCharsets.UTF_8);
    }
}
