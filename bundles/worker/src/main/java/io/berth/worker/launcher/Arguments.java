package io.berth.worker.launcher;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command line of a worker.
 *
 * @param masters HOST:PORT of each process of the control plane
 * @param leaderFile says on this machine where the ResourceManager is served; empty: none
 * @param id empty: made up by the launcher
 * @param cpuMillis thousandths of a core offered to slots
 * @param heapBytes heap offered to slots
 * @param runtime settings of the runtime, one {@code KEY=VALUE} each; the runtime checks them
 * @param work folder for the files of the process; empty: a temporary one
 */
record Arguments(
        List<String> masters,
        String leaderFile,
        Optional<String> id,
        long cpuMillis,
        long heapBytes,
        int slots,
        String backend,
        String spec,
        Optional<String> work,
        long resourceManagerTimeoutMillis,
        SortedMap<String, String> labels,
        List<String> runtime) {

    static final String HELP = """
            usage: java [-Xmx...] -jar berth-worker.jar --master HOST:PORT[,...] [options]

            Runs a Berth worker until the ResourceManager or a signal ends it.

              --master HOST:PORT[,HOST:PORT...]   where the processes of the control plane listen: tried one after
                                                  the other until one of them leads (needed)
              --leader-file FILE                  file of this machine in which the ResourceManager that leads says
                                                  where it is (default: none)
              --id ID                             name of the worker, unique in the cluster
                                                  (default: worker-, process id and a random number)
              --cpu CORES                         cores offered to slots, for example 1.5 (default: all)
              --memory SIZE                       heap offered to slots, for example 512m or 2g (default: 1g)
              --slots N                           default slots the offer divides into (default: 1)
              --backend NAME                      what started the worker (default: standalone)
              --spec NAME                         worker spec it was started for (default: none)
              --work DIR                          folder for its files (default: a temporary one)
              --resource-manager-timeout-ms MS    ends itself after that long without a ResourceManager
                                                  (default: 300000)
              --label KEY=VALUE                   attribute for placement; may be repeated
              --runtime KEY=VALUE                 setting of the runtime, as in io.berth.runtime.dataflow.cfg; may be
                                                  repeated
              --help                              shows this

            exit codes: 0 told to end, 1 failed to start, 2 bad arguments, 3 out of memory,
                        4 rejected by the ResourceManager, 5 a task did not end after it was canceled,
                        6 no ResourceManager for too long, 7 an error in the worker itself
            """;

    private static final List<String> KNOWN = List.of(
            "--master",
            "--leader-file",
            "--id",
            "--cpu",
            "--memory",
            "--slots",
            "--backend",
            "--spec",
            "--work",
            "--resource-manager-timeout-ms",
            "--label",
            "--runtime");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,119}");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})([kKmMgGtT]?)[bB]?");
    private static final Map<String, Integer> SHIFTS = new TreeMap<>(Map.of("", 0, "k", 10, "m", 20, "g", 30, "t", 40));
    private static final String MILLIS = "a whole number of milliseconds, 1 or more";

    Arguments {
        masters = List.copyOf(masters);
        runtime = List.copyOf(runtime);
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    static boolean isHelpRequested(List<String> words) {
        return words.contains("--help") || words.contains("-h");
    }

    /**
     * Reads a command line.
     *
     * @param processors of this machine, the default of {@code --cpu}
     * @throws BadArgument names the argument, its value and what is allowed
     */
    static Arguments parse(List<String> words, int processors) throws BadArgument {
        SortedMap<String, String> given = new TreeMap<>();
        SortedMap<String, String> labels = new TreeMap<>();
        List<String> runtime = new ArrayList<>();
        Iterator<String> rest = words.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            if (!KNOWN.contains(argument)) {
                throw new BadArgument("argument '" + argument + "' is unknown: allowed are " + KNOWN);
            }
            if (!rest.hasNext()) {
                throw new BadArgument("argument " + argument + " has no value");
            }
            String value = rest.next();
            if (argument.equals("--label")) {
                putLabel(labels, value);
            } else if (argument.equals("--runtime")) {
                runtime.add(pair(argument, value));
            } else if (given.put(argument, value) != null) {
                throw new BadArgument("argument " + argument + " is given twice: allowed is once");
            }
        }
        return new Arguments(
                addresses(required(given, "--master")),
                given.getOrDefault("--leader-file", ""),
                name(given, "--id"),
                cores(given.getOrDefault("--cpu", String.valueOf(processors))),
                bytes(given.getOrDefault("--memory", "1g")),
                (int) number(
                        "--slots", given.getOrDefault("--slots", "1"), 1, 10_000, "a whole number from 1 to 10000"),
                name(given, "--backend").orElse("standalone"),
                name(given, "--spec").orElse(""),
                Optional.ofNullable(given.get("--work")),
                number(
                        "--resource-manager-timeout-ms",
                        given.getOrDefault("--resource-manager-timeout-ms", "300000"),
                        1,
                        Long.MAX_VALUE / 2,
                        MILLIS),
                labels,
                runtime);
    }

    private static String required(SortedMap<String, String> given, String argument) throws BadArgument {
        String value = given.get(argument);
        if (value == null) {
            throw new BadArgument("argument " + argument + " is missing: --help shows what it is");
        }
        return value;
    }

    private static List<String> addresses(String value) throws BadArgument {
        String allowed = "HOST:PORT with a port from 1 to 65535, several with commas between, each once";
        List<String> addresses = List.of(value.split(",", -1));
        for (String address : addresses) {
            int colon = address.lastIndexOf(':');
            if (colon < 1 || address.isBlank()) {
                throw bad("--master", value, allowed);
            }
            number("--master", value, address.substring(colon + 1), 1, 65_535, allowed);
        }
        if (addresses.stream().distinct().count() < addresses.size()) {
            throw bad("--master", value, allowed);
        }
        return addresses;
    }

    private static Optional<String> name(SortedMap<String, String> given, String argument) throws BadArgument {
        String value = given.getOrDefault(argument, "");
        if (value.isEmpty()) {
            return Optional.empty();
        }
        if (!NAME.matcher(value).matches()) {
            throw bad(argument, value, "1 to 120 letters, digits, dots, underscores and hyphens");
        }
        return Optional.of(value);
    }

    private static long cores(String value) throws BadArgument {
        try {
            long millis = new BigDecimal(value)
                    .movePointRight(3)
                    .setScale(0, RoundingMode.UNNECESSARY)
                    .longValueExact();
            if (millis >= 1) {
                return millis;
            }
        } catch (ArithmeticException | NumberFormatException failure) {
            // Told below, together with numbers that are too small.
        }
        throw bad("--cpu", value, "a number of cores above 0 with at most three decimals, for example 1.5");
    }

    private static long bytes(String value) throws BadArgument {
        Matcher matcher = SIZE.matcher(value);
        if (matcher.matches()) {
            long amount = Long.parseLong(matcher.group(1));
            int shift = Objects.requireNonNull(SHIFTS.get(matcher.group(2).toLowerCase(Locale.ROOT)));
            if (amount >= 1 && amount <= Long.MAX_VALUE >> shift) {
                return amount << shift;
            }
        }
        throw bad(
                "--memory", value, "a number of bytes above 0, with k, m, g or t for powers of 1024, for example 512m");
    }

    private static String pair(String argument, String value) throws BadArgument {
        if (value.indexOf('=') < 1 || value.lines().count() != 1) {
            throw bad(argument, value, "KEY=VALUE");
        }
        return value;
    }

    private static void putLabel(SortedMap<String, String> labels, String value) throws BadArgument {
        int equals = pair("--label", value).indexOf('=');
        labels.put(value.substring(0, equals), value.substring(equals + 1));
    }

    private static long number(String argument, String value, long least, long most, String allowed)
            throws BadArgument {
        return number(argument, value, value, least, most, allowed);
    }

    private static long number(String argument, String value, String digits, long least, long most, String allowed)
            throws BadArgument {
        try {
            long number = Long.parseLong(digits);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException failure) {
            // Told below, together with numbers out of range.
        }
        throw bad(argument, value, allowed);
    }

    private static BadArgument bad(String argument, String value, String allowed) {
        return new BadArgument("argument " + argument + " is '" + value + "': allowed is " + allowed);
    }

    /** The command line cannot be used; the message says why. */
    static final class BadArgument extends Exception {

        private static final long serialVersionUID = 1L;

        BadArgument(String message) {
            super(message);
        }
    }
}
