package io.berth.core.api.process;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How tasks of a vertex run as processes: the configuration of the vertex, read.
 *
 * @param command the program and its arguments; empty: the script is the program
 * @param script text of a file that is written for the task
 * @param directory the working directory, absolute; empty: a directory of the task
 * @param environment variables beside those of the worker and those that describe the task
 * @param health how it is checked whether the process still does its work
 * @param stopSignal without SIG
 * @param stopTimeoutMillis from that signal until the process is killed
 * @param permanentExitCodes with which another attempt would end too
 */
public record ProcessSettings(
        List<String> command,
        Optional<String> script,
        Optional<String> directory,
        SortedMap<String, String> environment,
        Optional<Health> health,
        String stopSignal,
        long stopTimeoutMillis,
        List<ExitCodes> permanentExitCodes) {

    /** Name of the runtime. */
    public static final String RUNTIME = "process";

    /** The word of a command that stands for the file of the script. */
    public static final String SCRIPT_WORD = "{script}";

    /** What processes may be stopped by. */
    public static final List<String> SIGNALS = List.of("TERM", "INT", "HUP", "QUIT", "USR1", "USR2");

    public ProcessSettings {
        command = List.copyOf(command);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        permanentExitCodes = List.copyOf(permanentExitCodes);
    }

    /**
     * A command that is run now and then while the process runs. Exit code 0 is good; all others, and one that does not end
     * in time, are a failure.
     *
     * @param intervalMillis from the end of one check to the begin of the next
     * @param timeoutMillis how long a check may take
     * @param failuresMax how many failures in a row end the task
     */
    public record Health(List<String> command, long intervalMillis, long timeoutMillis, int failuresMax) {

        public Health {
            command = List.copyOf(command);
        }
    }

    /** Exit codes from {@code first} to {@code last}. */
    public record ExitCodes(int first, int last) {}

    /** Whether another attempt would end with that exit code too. */
    public boolean isPermanent(int exitCode) {
        return permanentExitCodes.stream().anyMatch(range -> exitCode >= range.first() && exitCode <= range.last());
    }
}
