package io.berth.core.api.process;

import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import io.berth.core.api.process.ProcessSettings.ExitCodes;
import io.berth.core.api.process.ProcessSettings.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the configuration of a vertex of the runtime {@code process}. For one configuration and one thread. */
public final class ProcessSettingsReader {

    /** What is given when a key is unknown. */
    public static final String UNKNOWN = "not a setting of the runtime process";

    private static final String COMMAND = "command";
    private static final String SCRIPT = "script";
    private static final String DIRECTORY = "directory";
    private static final String ENVIRONMENT = "environment.";
    private static final String HEALTH_COMMAND = "health.command";
    private static final String HEALTH_INTERVAL = "health.interval.ms";
    private static final String HEALTH_TIMEOUT = "health.timeout.ms";
    private static final String HEALTH_FAILURES = "health.failures.max";
    private static final String STOP_SIGNAL = "stop.signal";
    private static final String STOP_TIMEOUT = "stop.timeout.ms";
    private static final String PERMANENT = "exit.codes.permanent";

    /** All keys; for each variable there is one that begins with {@code environment.}. */
    public static final List<String> KEYS = List.of(
            COMMAND,
            SCRIPT,
            DIRECTORY,
            ENVIRONMENT + "NAME",
            HEALTH_COMMAND,
            HEALTH_INTERVAL,
            HEALTH_TIMEOUT,
            HEALTH_FAILURES,
            STOP_SIGNAL,
            STOP_TIMEOUT,
            PERMANENT,
            JobVertex.RENDEZVOUS);

    private static final long MAX_HEALTH_MILLIS = 3_600_000;
    private static final long MAX_STOP_MILLIS = 120_000;
    private static final int MAX_EXIT_CODE = 255;
    /** Processes learn of their task by variables of this prefix. */
    private static final String RESERVED = "BERTH_";

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
    private static final Pattern CODES = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");

    private final Map<String, String> given;
    private final List<Problem> problems = new ArrayList<>();

    private ProcessSettingsReader(Map<String, String> given) {
        this.given = given;
    }

    /**
     * What was read.
     *
     * @param settings empty when there are problems
     * @param problems each with its key as the path
     */
    public record Read(Optional<ProcessSettings> settings, List<Problem> problems) {

        public Read {
            problems = List.copyOf(problems);
        }
    }

    /** Reads all of it, and names all problems. */
    public static Read read(SortedMap<String, String> configuration) {
        ProcessSettingsReader reader = new ProcessSettingsReader(configuration);
        ProcessSettings settings = reader.settings();
        return new Read(reader.problems.isEmpty() ? Optional.of(settings) : Optional.empty(), reader.problems);
    }

    private ProcessSettings settings() {
        SortedMap<String, String> environment = new TreeMap<>();
        given.forEach((key, value) -> {
            if (key.startsWith(ENVIRONMENT)) {
                variable(key, value, environment);
            } else if (!KEYS.contains(key)) {
                problem(key, UNKNOWN, "known are " + String.join(", ", KEYS));
            }
        });
        Optional<String> script = find(SCRIPT);
        List<String> command = command(COMMAND);
        if (!given.containsKey(COMMAND) && script.isEmpty()) {
            problem(COMMAND, "missing", "the program to run with its arguments, or the text of a " + SCRIPT);
        }
        Optional<Health> health = health();
        checkScript(COMMAND, command, script);
        checkScript(HEALTH_COMMAND, health.map(Health::command).orElse(List.of()), script);
        find(JobVertex.RENDEZVOUS)
                .filter(text -> !List.of("true", "false").contains(text))
                .ifPresent(text -> problem(JobVertex.RENDEZVOUS, "'" + text + "'", "true or false"));
        return new ProcessSettings(
                command,
                script,
                directory(),
                environment,
                health,
                signal(),
                number(STOP_TIMEOUT, 10_000, 0, MAX_STOP_MILLIS),
                exitCodes());
    }

    private void checkScript(String key, List<String> command, Optional<String> script) {
        if (script.isEmpty() && command.contains(ProcessSettings.SCRIPT_WORD)) {
            problem(
                    key,
                    "'" + ProcessSettings.SCRIPT_WORD + "' without a script",
                    "the word stands for the file of the key " + SCRIPT + ", which is missing");
        }
    }

    private void variable(String key, String value, SortedMap<String, String> environment) {
        String name = key.substring(ENVIRONMENT.length());
        if (!VARIABLE.matcher(name).matches()) {
            problem(key, "the variable '" + name + "'", "a name of 1 to 100 letters, digits and '_', no digit first");
        } else if (name.startsWith(RESERVED)) {
            problem(
                    key,
                    "the variable '" + name + "'",
                    "names that do not begin with " + RESERVED + ": Berth sets those");
        } else if (value.indexOf('\0') >= 0) {
            problem(key, "a value with a NUL character", "a text without it");
        } else {
            environment.put(name, value);
        }
    }

    private Optional<String> directory() {
        Optional<String> directory = find(DIRECTORY);
        directory
                .filter(path -> !path.startsWith("/") || path.indexOf('\0') >= 0)
                .ifPresent(path -> problem(DIRECTORY, "'" + path + "'", "an absolute path, as workers see it"));
        return directory;
    }

    private Optional<Health> health() {
        List<String> command = command(HEALTH_COMMAND);
        Health health = new Health(
                command,
                number(HEALTH_INTERVAL, 10_000, 100, MAX_HEALTH_MILLIS),
                number(HEALTH_TIMEOUT, 10_000, 100, MAX_HEALTH_MILLIS),
                (int) number(HEALTH_FAILURES, 3, 1, 1_000));
        if (command.isEmpty() && !given.containsKey(HEALTH_COMMAND)) {
            for (String key : List.of(HEALTH_INTERVAL, HEALTH_TIMEOUT, HEALTH_FAILURES)) {
                if (given.containsKey(key)) {
                    problem(key, "'" + given.get(key) + "' without a " + HEALTH_COMMAND, "both, or neither");
                }
            }
        }
        return command.isEmpty() ? Optional.empty() : Optional.of(health);
    }

    private String signal() {
        String signal = given.getOrDefault(STOP_SIGNAL, "TERM");
        if (!ProcessSettings.SIGNALS.contains(signal)) {
            problem(STOP_SIGNAL, "'" + signal + "'", "one of " + String.join(", ", ProcessSettings.SIGNALS));
        }
        return signal;
    }

    private List<ExitCodes> exitCodes() {
        List<ExitCodes> codes = new ArrayList<>();
        for (String part : given.getOrDefault(PERMANENT, "").split("[,\\s]+")) {
            if (part.isEmpty()) {
                continue;
            }
            Matcher matcher = CODES.matcher(part);
            int first = matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
            int last = first < 0 || matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
            if (first < 1 || last < first || last > MAX_EXIT_CODE) {
                problem(PERMANENT, "'" + part + "'", "exit codes from 1 to 255 and ranges of them, as in 2, 64-78");
            } else {
                codes.add(new ExitCodes(first, last));
            }
        }
        return codes;
    }

    /** The words of a command; empty when it is not given, or not right. */
    private List<String> command(String key) {
        Optional<String> text = find(key);
        if (text.isEmpty()) {
            return List.of();
        }
        try {
            List<String> words = CommandText.words(text.get());
            if (!words.isEmpty() && !words.get(0).isEmpty() && text.get().indexOf('\0') < 0) {
                return words;
            }
            problem(key, "'" + shown(text.get()) + "'", "a program, and its arguments after it");
        } catch (IllegalArgumentException refused) {
            problem(
                    key,
                    "'" + shown(text.get()) + "'",
                    "closed quotes, and a character after each backslash: " + refused.getMessage());
        }
        return List.of();
    }

    private long number(String key, long otherwise, long least, long most) {
        Optional<String> text = find(key);
        if (text.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(text.get().strip());
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException noNumber) {
            // Reported below, like a number that is out of bounds.
        }
        problem(key, "'" + shown(text.get()) + "'", "a whole number from " + least + " to " + most);
        return otherwise;
    }

    private Optional<String> find(String key) {
        return Optional.ofNullable(given.get(key));
    }

    private static String shown(String text) {
        return text.length() <= 80 ? text : text.substring(0, 80) + "...";
    }

    private void problem(String key, String what, String allowed) {
        problems.add(new Problem(key, what, allowed));
    }
}
