package io.berth.runtime.process;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Says in words how a process ended. */
final class ExitText {

    private static final int SIGNALED = 128;
    private static final int CAUSE_LINES = 5;
    private static final int MAX_LINE = 400;
    private static final Map<Integer, String> SIGNALS = Map.ofEntries(
            Map.entry(1, "HUP"),
            Map.entry(2, "INT"),
            Map.entry(3, "QUIT"),
            Map.entry(4, "ILL"),
            Map.entry(6, "ABRT"),
            Map.entry(7, "BUS"),
            Map.entry(8, "FPE"),
            Map.entry(9, "KILL"),
            Map.entry(10, "USR1"),
            Map.entry(11, "SEGV"),
            Map.entry(12, "USR2"),
            Map.entry(13, "PIPE"),
            Map.entry(15, "TERM"));

    private ExitText() {}

    /** For example {@code exit code 137, signal KILL}. */
    static String code(int exitCode) {
        String signal = SIGNALS.get(exitCode - SIGNALED);
        return "exit code " + exitCode + (signal == null ? "" : ", signal " + signal);
    }

    /**
     * The cause of a failed task.
     *
     * @param errors the last lines of standard error, oldest first
     */
    static String cause(String program, int exitCode, List<String> errors) {
        String cause = "process '" + program + "' ended with " + code(exitCode);
        if (errors.isEmpty()) {
            return cause + "; it printed nothing to standard error";
        }
        List<String> shown = errors.subList(Math.max(0, errors.size() - CAUSE_LINES), errors.size());
        return cause + "; standard error ends with: "
                + shown.stream()
                        .map(line -> line.length() <= MAX_LINE ? line : line.substring(0, MAX_LINE) + "...")
                        .collect(Collectors.joining(" | "));
    }
}
