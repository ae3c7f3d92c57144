package io.berth.simulator.seed;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The lines of a trace that a person needs to see how an invariant was broken: lines about the slots that the
 * violation names, else about the jobs, else about the workers, and what happened to processes and leaders.
 *
 * @param concerned the names that were searched
 * @param lines in the order of time
 */
record Excerpt(List<String> concerned, List<String> lines) {

    static final int MAX_LINES = 120;

    private static final int FIRST_LINES = 40;
    private static final int MAX_COLUMNS = 400;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final Pattern JOB = Pattern.compile("job-[0-9]+");
    private static final Pattern ALLOCATION = Pattern.compile("[0-9a-z]{1,3}-[0-9]+");
    private static final Pattern PROCESS = Pattern.compile("([A-Za-z0-9._-]+)#[0-9]+ begins");
    private static final Pattern OF_THE_WORLD = Pattern.compile(
            " *[0-9.]+ (?:fault .*|all faults end|VIOLATION .*|\\S+ (?:begins|is killed.*|is dead.*|is paused"
                    + "|is led by .*|serves .*|no longer leads.*)|\\S+: \\S+ no longer leads.*)");
    /** These messages name everything, again and again. */
    private static final Pattern SURVEY = Pattern.compile(
            " *[0-9.]+ message [0-9]+ (?:[A-Za-z]+/Heartbeat|Dispatcher/JobChanged|JobMaster/Details|ResourceManager/Cl).*");

    Excerpt {
        concerned = List.copyOf(concerned);
        lines = List.copyOf(lines);
    }

    /** @param violation the broken invariant, in the words of its oracle */
    static Excerpt of(List<String> trace, String violation) {
        SortedSet<String> processes = processes(trace);
        SortedSet<String> named = names(violation);
        List<String> jobs = matching(named, name -> JOB.matcher(name).matches());
        List<String> slots = matching(
                named, name -> ALLOCATION.matcher(name).matches() && !processes.contains(name) && !jobs.contains(name));
        List<String> concerned =
                !slots.isEmpty() ? slots : !jobs.isEmpty() ? jobs : matching(named, processes::contains);
        List<String> lines = new ArrayList<>();
        for (String line : trace) {
            boolean touches = names(line).stream().anyMatch(concerned::contains);
            if (touches && !SURVEY.matcher(line).matches()
                    || OF_THE_WORLD.matcher(line).matches()) {
                lines.add(line.length() > MAX_COLUMNS ? line.substring(0, MAX_COLUMNS) + "..." : line);
            }
        }
        return new Excerpt(concerned, shortened(lines));
    }

    private static List<String> shortened(List<String> lines) {
        if (lines.size() <= MAX_LINES) {
            return lines;
        }
        List<String> some = new ArrayList<>(lines.subList(0, FIRST_LINES));
        some.add("             ... " + (lines.size() - MAX_LINES) + " lines are left out ...");
        some.addAll(lines.subList(lines.size() - MAX_LINES + FIRST_LINES, lines.size()));
        return some;
    }

    private static SortedSet<String> processes(List<String> trace) {
        SortedSet<String> processes = new TreeSet<>();
        for (String line : trace) {
            Matcher begins = PROCESS.matcher(line);
            if (begins.find()) {
                processes.add(begins.group(1));
            }
        }
        return processes;
    }

    private static SortedSet<String> names(String text) {
        SortedSet<String> names = new TreeSet<>();
        Matcher name = NAME.matcher(text);
        while (name.find()) {
            names.add(name.group());
        }
        return names;
    }

    private static List<String> matching(SortedSet<String> names, Predicate<String> those) {
        return names.stream().filter(those).toList();
    }
}
