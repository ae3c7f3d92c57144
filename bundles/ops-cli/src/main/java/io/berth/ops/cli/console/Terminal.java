package io.berth.ops.cli.console;

import io.berth.core.api.time.Clock;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The terminal of a command.
 *
 * @param out results
 * @param err progress and errors
 * @param columns width of the terminal of {@code err}, so that progress can be redrawn in place; 0 without a terminal
 * @param environment variables of the process
 * @param home top of the repository or installation
 * @param stopped counted down when the process is asked to end
 */
public record Terminal(
        PrintStream out,
        PrintStream err,
        int columns,
        Map<String, String> environment,
        Path home,
        Clock clock,
        CountDownLatch stopped) {

    public Terminal {
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
    }

    public boolean interactive() {
        return columns > 0;
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /**
     * Waits.
     *
     * @return whether the process was asked to end in that time
     */
    public boolean pause(long millis) {
        try {
            return stopped.await(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    public void progress(String line) {
        err.println(line);
        err.flush();
    }
}
