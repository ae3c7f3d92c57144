package io.berth.ops.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.job.AmountText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Lists the pools. */
@Command(
        name = "pools",
        mixinStandardHelpOptions = true,
        description = "Lists the pools, in the order in which they choose workers.")
public final class PoolsCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.get("pools"), this::print);
        return ExitCode.DONE;
    }

    private void print(JsonNode pools) {
        Table table = new Table("POOL", "HAS", "MEMBERS", "MATCHING", "DISTRIBUTION", "RULE", "STARTS WORKERS");
        for (JsonNode pool : pools) {
            table.row(
                    pool.path("name").asText(),
                    has(pool),
                    pool.path("members").asText(),
                    orCommon(pool.path("policies").path("matching").path("selector")),
                    orCommon(pool.path("policies").path("distribution").path("selector")),
                    orCommon(pool.path("rule")),
                    pool.path("startsWorkers").asBoolean() ? "yes" : "no");
        }
        table.print(berth.terminal().out());
    }

    /** The figures of a pool as text. */
    static String has(JsonNode pool) {
        if (!pool.has("workers")) {
            return "unknown, the ResourceManager is not available";
        }
        return pool.path("workers").asInt() + " workers, "
                + pool.path("slots").asInt() + " slots, free "
                + AmountText.of("cpu", pool.path("freeCpuMillis").asLong()) + " of "
                + AmountText.of("cpu", pool.path("cpuMillis").asLong());
    }

    /** Nothing of its own means what is common to all pools. */
    static String orCommon(JsonNode text) {
        return text.asText().isEmpty() ? "common" : text.asText();
    }
}
