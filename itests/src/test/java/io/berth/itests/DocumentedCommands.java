package io.berth.itests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The commands that the documentation shows: the lines of fenced blocks of kind {@code sh}, and what stands in the text
 * as {@code ./berth ...} or {@code berth ...}. {@link DocumentedCommandsIT} types them, but for those of {@link #ELSEWHERE}.
 */
record DocumentedCommands(List<Command> typed, List<Command> elsewhere, List<Command> inText, List<String> unmarked) {

    static final Path ROOT = Path.of("..");

    /** Their examples are for one policy each, and what they choose is chosen by other tests. */
    private static final String POLICIES = "docs/policies/";

    /** Carried out by {@link ThirdPartyGuideIT} and {@link JobGuideIT}, each block in its turn. */
    private static final Set<String> GUIDES = Set.of("docs/write-a-policy.md", "docs/write-a-job.md");

    /** Commands that start the jar of a tool, which knows their options. */
    static final Set<String> OF_TOOLS = Set.of("bench", "simulate");

    private static final Pattern IN_TEXT = Pattern.compile("`((?:\\./)?berth (?:-|[a-z])[^`]*)`");

    /** Commands that are not typed, and why. What they name is looked up: options, tests, profiles, files. */
    private static final Map<Pattern, String> ELSEWHERE = elsewhereTable();

    private static Map<Pattern, String> elsewhereTable() {
        Map<Pattern, String> table = new LinkedHashMap<>();
        table.put(Pattern.compile("\\./mvnw .*"), "a build, as the one that this test is part of");
        table.put(
                Pattern.compile("java itests/benchmarks/DecisionComparison\\.java .*"),
                "takes minutes and needs the harness of Flink");
        table.put(
                Pattern.compile("java itests/benchmarks/ChurnComparison\\.java .*"),
                "takes minutes and needs a checkout of an earlier version; ChurnComparisonIT runs a small part");
        table.put(
                Pattern.compile("java itests/benchmarks/WordCountComparison\\.java .*"),
                "takes minutes and needs a checkout of an earlier version");
        table.put(
                Pattern.compile("java itests/benchmarks/ExecutionGraphComparison\\.java .*"),
                "takes minutes and needs the harness of Flink");
        table.put(
                Pattern.compile("java itests/benchmarks/SortComparison\\.java.*"),
                "takes minutes and much disk; SortComparisonIT runs a small part");
        table.put(
                Pattern.compile("java itests/benchmarks/PolicyComparison\\.java.*"),
                "takes half an hour and needs traces; PolicyComparisonIT runs a small part");
        table.put(
                // The comparison of the examples takes a second, and is typed.
                Pattern.compile("\\./berth (bench|simulate|policy test|policy compare(?!.*docs/examples/)) .*"),
                "takes minutes or needs traces or a jar; the tests of bundles/benchmark, bundles/simulator and bundles/scorecard"
                        + " run the same");
        table.put(
                Pattern.compile("mvn (archetype:generate|-f my-policy/pom\\.xml) .*"),
                "needs the archetypes in a repository; ArchetypesIT types these lines for each kind");
        table.put(
                Pattern.compile("\\./berth (security|worker .*--security) .*"),
                "needs certificates and a cluster that uses them; SecuredClusterIT types the same");
        table.put(
                Pattern.compile("\\./berth (token .*|.*--token-file .*)|export BERTH_TOKEN_FILE=.*"),
                "needs a control plane whose users authenticate; UsersIT types the same");
        table.put(Pattern.compile("ssh .*"), "asks for a password; the lines after it are typed with bin/client");
        return table;
    }

    /** A line as it is typed: continued lines are one, comments are left out. */
    record Command(String page, String text) {

        @Override
        public String toString() {
            return page + ": " + text;
        }
    }

    /** README and CONTRIBUTING, then the pages by name, then those of policies. */
    static DocumentedCommands read() throws IOException {
        DocumentedCommands commands =
                new DocumentedCommands(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        List<String> pages = new ArrayList<>(List.of("README.md", "CONTRIBUTING.md"));
        for (String folder : List.of("docs/", POLICIES)) {
            try (var files = Files.list(ROOT.resolve(folder))) {
                files.map(file -> folder + file.getFileName())
                        .filter(name -> name.endsWith(".md"))
                        .sorted()
                        .forEach(pages::add);
            }
        }
        for (String page : pages) {
            commands.read(page);
        }
        return commands;
    }

    private void read(String page) throws IOException {
        Optional<String> kind = Optional.empty();
        StringBuilder begun = new StringBuilder();
        for (String line : Files.readAllLines(ROOT.resolve(page))) {
            String text = line.strip();
            if (text.startsWith("```")) {
                kind = kind.isPresent() ? Optional.empty() : Optional.of(text.substring(3));
            } else if (kind.isEmpty()) {
                Matcher span = IN_TEXT.matcher(line);
                while (span.find()) {
                    inText.add(new Command(page, span.group(1).replaceFirst("^\\./", "")));
                }
            } else if (!kind.get().equals("sh")) {
                if (text.matches("(\\./(berth|mvnw)|mvn|curl|ssh) .*")) {
                    unmarked.add(page + ": " + text);
                }
            } else if (!GUIDES.contains(page)) {
                begun.append(text.replaceFirst("(^|\\s+)#.*$", ""));
                if (begun.toString().endsWith("\\")) {
                    begun.setLength(begun.length() - 1);
                } else if (begun.length() > 0) {
                    Command command = new Command(page, begun.toString());
                    boolean isTyped = !page.startsWith(POLICIES)
                            && reasonNotToType(command).isEmpty();
                    (isTyped ? typed : elsewhere).add(command);
                    begun.setLength(0);
                }
            }
        }
    }

    private static Optional<String> reasonNotToType(Command command) {
        return ELSEWHERE.entrySet().stream()
                .filter(row -> row.getKey().matcher(command.text()).matches())
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** What prints the help of a command, which is given by its words. */
    interface Help {
        String of(List<String> command) throws Exception;
    }

    /**
     * Commands that are shown and not there, and options that they lack.
     *
     * @param names of all commands
     * @param tools whether to look at those of {@link #OF_TOOLS}, or at the others
     */
    List<String> missing(Set<String> names, boolean tools, Help help) throws Exception {
        List<String> missing = new ArrayList<>();
        for (Map.Entry<List<String>, TreeSet<String>> shown : options(names).entrySet()) {
            List<String> path = shown.getKey();
            String first = path.isEmpty() ? "" : path.get(0);
            if (first.equals("help") || OF_TOOLS.contains(first) != tools) {
                continue;
            }
            String name = String.join(" ", path);
            String printed = help.of(path);
            // Words after the second one may be values, as in 'policy use matching pack'.
            boolean valued = path.size() > 2 && printed.contains("Usage: berth " + first + " " + path.get(1) + " ");
            if (!first.isEmpty() && !valued && !printed.contains("Usage: berth " + name)) {
                missing.add(name);
            }
            for (String option : shown.getValue()) {
                if (!Pattern.compile("(?<![a-z-])" + option + "(?![a-z-])")
                        .matcher(printed)
                        .find()) {
                    missing.add(name + " " + option);
                }
            }
        }
        return missing;
    }

    /** Names of commands of {@code berth} as they are typed, each with the options that the pages give it. */
    private Map<List<String>, TreeSet<String>> options(Set<String> names) {
        Map<List<String>, TreeSet<String>> options = new LinkedHashMap<>();
        List<Command> all = new ArrayList<>(inText);
        elsewhere.stream()
                .filter(command -> command.text().startsWith("./berth "))
                .map(command -> new Command(command.page(), command.text().substring(2)))
                .forEach(all::add);
        for (Command command : all) {
            List<String> words = List.of(command.text().split("[\\s|\\[\\]]+"));
            List<String> name = new ArrayList<>();
            for (String word : words.subList(1, words.size())) {
                if (!word.matches("[a-z][a-z-]*") || !(names.contains(word) || !name.isEmpty())) {
                    break;
                }
                name.add(word);
            }
            TreeSet<String> given = options.computeIfAbsent(name, none -> new TreeSet<>());
            words.stream().filter(word -> word.matches("--?[a-z][a-z-]*")).forEach(given::add);
        }
        return options;
    }
}
