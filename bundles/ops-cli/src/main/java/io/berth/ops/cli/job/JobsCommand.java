package io.berth.ops.cli.job;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Lists all jobs, ended ones included. */
@Command(
        name = "jobs",
        mixinStandardHelpOptions = true,
        description = "Lists all jobs, ended ones included. 'berth job ID' shows the whole reason.")
public final class JobsCommand implements Callable<Integer> {

    private static final int MAX_REASON = 80;

    @ParentCommand
    private Console berth;

    @Override
    public Integer call() {
        Api api = berth.api();
        berth.print(api, api.list("jobs"), jobs -> {
            Table table = new Table("ID", "NAME", "STATE", "WHY", "QUEUE", "SLOTS", "RESTARTS", "RESCALES", "REASON");
            for (JsonNode job : jobs) {
                table.row(
                        job.path("id").asText(),
                        job.path("name").asText(),
                        job.path("status").asText(),
                        ReasonTree.code(job.path("waiting").path("current")),
                        job.path("queue").asText(),
                        job.path("slots").size(),
                        job.path("restarts").asInt(),
                        job.path("rescales").asInt(),
                        shortened(job.path("reason").asText()));
            }
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    /** 'berth job ID' shows the whole reason. */
    private static String shortened(String reason) {
        return reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON - 3) + "..." : reason;
    }
}
