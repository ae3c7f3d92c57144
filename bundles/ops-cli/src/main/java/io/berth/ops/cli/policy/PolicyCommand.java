package io.berth.ops.cli.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.CommandGroup;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import io.berth.ops.cli.process.PolicyCompareCommand;
import io.berth.ops.cli.process.PolicyTestCommand;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Chooses policies, and shows which one decides and why. */
@Command(
        name = "policy",
        mixinStandardHelpOptions = true,
        subcommands = {PolicyCompareCommand.class, PolicyTestCommand.class},
        description = "Chooses policies, and shows which one decides and why.")
public final class PolicyCommand implements Callable<Integer>, CommandGroup {

    private static final String CHECK_INDEX = "Only if the choice still has this index: 'berth policies' shows it";

    @ParentCommand
    private Console berth;

    @Override
    public Console console() {
        return berth;
    }

    @Override
    public Integer call() {
        throw new CommandFailure(
                ExitCode.BAD_INPUT,
                "allowed are 'berth policy use KIND NAME', 'revert KIND', 'history',"
                        + " 'shadow KIND NAME', 'release KIND NAME', 'diag [KIND [NAME]]',"
                        + " 'compare --jobs FILE --nodes FILE' and 'test JAR';"
                        + " 'berth policies' lists them");
    }

    @Command(
            name = "use",
            mixinStandardHelpOptions = true,
            description = {
                "Chooses the policy of a kind, from the next decision on.",
                "A pool whose file names a policy keeps it; the answer lists these pools."
            })
    Integer use(
            @Parameters(paramLabel = "KIND", description = "matching, distribution or scaling") String kind,
            @Parameters(paramLabel = "NAME", description = "Name or LDAP filter; '' chooses by ranking") String name,
            @Option(names = "--check-index", paramLabel = "INDEX", description = CHECK_INDEX) Long index) {
        Api api = berth.api();
        Map<String, Object> choice = new TreeMap<>(Map.of("name", name));
        Optional.ofNullable(index).ifPresent(given -> choice.put("index", given));
        JsonNode answer = api.put("policies/" + Api.encode(kind), choice);
        berth.print(api, answer, changed -> chosen(kind, changed));
        return ExitCode.DONE;
    }

    @Command(
            name = "revert",
            mixinStandardHelpOptions = true,
            description = "Goes back to the choice before the last change.")
    Integer revert(
            @Parameters(paramLabel = "KIND", description = "matching, distribution or scaling") String kind,
            @Option(names = "--check-index", paramLabel = "INDEX", description = CHECK_INDEX) Long index) {
        Api api = berth.api();
        Map<String, Object> body = new TreeMap<>();
        Optional.ofNullable(index).ifPresent(given -> body.put("index", given));
        JsonNode answer = api.post("policies/" + Api.encode(kind) + "/revert", "application/json", api.write(body));
        berth.print(api, answer, changed -> chosen(kind, changed));
        return ExitCode.DONE;
    }

    @Command(
            name = "history",
            mixinStandardHelpOptions = true,
            description = "Lists the last changes of deciding policies, newest first.")
    Integer history(
            @Option(names = "--kind", defaultValue = "", description = "Only those of this kind") String kind,
            @Option(names = "--limit", defaultValue = "20", description = "At most this number. Default: 20")
                    int limit) {
        Api api = berth.api();
        Map<String, String> filter = new TreeMap<>(Map.of("kind", kind, "limit", Integer.toString(limit)));
        berth.print(api, api.get("policies/history" + Api.query(filter)), swaps -> {
            Table table = new Table(
                    "NUMBER",
                    "TIME",
                    "KIND",
                    "OWNER",
                    "CAUSE",
                    "INDEX",
                    "FROM",
                    "TO",
                    "IN FLIGHT",
                    "FIRST DECISION",
                    "ADDED MICROS",
                    "REFRESHED",
                    "LEDGER");
            for (JsonNode swap : swaps) {
                long first = swap.path("firstDecision").asLong();
                long added = swap.path("addedDelayMicros").asLong(-1);
                table.row(
                        swap.path("number").asLong(),
                        Instant.ofEpochMilli(swap.path("wallMillis").asLong()),
                        swap.path("kind").asText(),
                        swap.path("owner").asText(),
                        swap.path("cause").asText(),
                        swap.path("index").asLong(),
                        stamp(swap.path("from")),
                        stamp(swap.path("to")),
                        swap.path("inFlight").asInt(),
                        first == 0 ? "-" : first,
                        added < 0 ? "-" : added,
                        refreshed(swap.path("refreshed")),
                        ledger(swap.path("ledger")));
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    @Command(
            name = "shadow",
            mixinStandardHelpOptions = true,
            description = {
                "Lets a policy shadow decisions from the next one on: it is given the same inputs and never decides.",
                "A matching or distribution policy shadows a pool, a scaling policy all jobs.",
                "'berth policies' shows how often it agrees, 'berth decision N' where it differs."
            })
    Integer shadow(
            @Parameters(paramLabel = "KIND", description = "matching, distribution or scaling") String kind,
            @Parameters(
                            paramLabel = "NAME",
                            arity = "0..1",
                            defaultValue = "",
                            description = "Name of the policy; not with --off")
                    String name,
            @Option(
                            names = "--pool",
                            defaultValue = "",
                            description = "Name of the pool. Default: default. Not with scaling")
                    String pool,
            @Option(names = "--off", description = "Ends the shadow") boolean off) {
        if (off != name.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "allowed are 'berth policy shadow KIND NAME' and 'berth policy shadow KIND --off'");
        }
        Api api = berth.api();
        String path = "policies/" + Api.encode(kind) + "/shadow";
        Map<String, String> named = pool.isEmpty() ? new TreeMap<>() : new TreeMap<>(Map.of("pool", pool));
        if (off) {
            JsonNode answer = api.delete(path + Api.query(named));
            berth.print(
                    api,
                    answer,
                    ended -> berth.terminal()
                            .out()
                            .println("Ended: " + ended.path("line").asText()));
        } else {
            named.put("name", name);
            JsonNode answer = api.put(path, named);
            berth.print(
                    api,
                    answer,
                    begun -> berth.terminal()
                            .out()
                            .println("From the next decision on: " + kind + " " + name + " shadows " + scope(begun)
                                    + "; 'berth policies' shows how it does"));
        }
        return ExitCode.DONE;
    }

    private static String scope(JsonNode shadow) {
        String pool = shadow.path("pool").asText();
        return pool.isEmpty() ? "all jobs" : "pool " + pool;
    }

    @Command(name = "release", mixinStandardHelpOptions = true, description = "Ends the quarantine of a policy.")
    Integer release(
            @Parameters(paramLabel = "KIND", description = "matching, distribution, scaling or backend") String kind,
            @Parameters(paramLabel = "NAME", description = "Name of the policy") String name) {
        Api api = berth.api();
        JsonNode answer = api.post(
                "policies/" + Api.encode(kind) + "/release", "application/json", api.write(Map.of("name", name)));
        berth.print(api, answer, done -> berth.terminal().out().println("May decide again: " + kind + " " + name));
        return ExitCode.DONE;
    }

    @Command(name = "diag", mixinStandardHelpOptions = true, description = "Shows why policies decide or do not.")
    Integer diag(
            @Parameters(paramLabel = "KIND", arity = "0..1", defaultValue = "", description = "Only those of this kind")
                    String kind,
            @Parameters(paramLabel = "NAME", arity = "0..1", defaultValue = "", description = "Only this one")
                    String name) {
        Api api = berth.api();
        Map<String, String> filter = new TreeMap<>(Map.of("kind", kind, "name", name));
        berth.print(api, api.get("policies/diagnosis" + Api.query(filter)), found -> {
            Table table = new Table("KIND", "NAME", "VERSION", "BUNDLE", "VERDICT", "WHY");
            for (JsonNode one : found) {
                table.row(
                        one.path("kind").asText(),
                        one.path("name").asText(),
                        one.path("version").asText(),
                        one.path("bundle").asText(),
                        one.path("verdict").asText(),
                        one.path("text").asText());
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    private static String stamp(JsonNode stamp) {
        long generation = stamp.path("generation").asLong();
        return (stamp.path("name").asText() + " " + stamp.path("version").asText()).strip()
                + (generation == 0 ? "" : " generation " + generation);
    }

    private static String refreshed(JsonNode refreshed) {
        StringJoiner names = new StringJoiner(", ", " (", ")").setEmptyValue("");
        refreshed.path("names").forEach(name -> names.add(name.asText()));
        return refreshed.path("count").asInt() + names.toString();
    }

    /** What the ledgers before and after the change show, with their hashes. */
    private static String ledger(JsonNode ledger) {
        String last = ledger.path("lastDecision").path("hash").asText("none");
        String first = ledger.path("firstBefore").path("hash").asText("none");
        return ledger.path("verdict").asText()
                + (first.equals("none") ? last.equals("none") ? "" : ", " + last : ", " + last + " and " + first);
    }

    private void chosen(String kind, JsonNode changed) {
        String name = changed.path("name").asText();
        berth.terminal()
                .out()
                .println("From the next decision on: " + kind + " " + (name.isEmpty() ? "by ranking" : name)
                        + " (index " + changed.path("index").asLong() + ")");
        changed.path("notReached")
                .properties()
                .forEach(pool -> berth.terminal()
                        .out()
                        .println("Not for pool " + pool.getKey() + ": etc/io.berth.pool-" + pool.getKey()
                                + ".cfg names " + pool.getValue().asText()));
    }
}
