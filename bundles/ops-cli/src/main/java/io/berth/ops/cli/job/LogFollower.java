package io.berth.ops.cli.job;

import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.util.List;
import java.util.function.Supplier;

/**
 * Shows what the tasks of a job print and log until it has ended: also tasks that begin later, as after a restart. The list
 * of logs costs a question to each worker, so it is asked for now and then, and only logs that have grown are read; a few
 * logs are read each second. A control plane that restarts is waited for, because the job outlives it.
 */
final class LogFollower {

    private static final long TURN_MILLIS = 1_000;
    private static final long LIST_MILLIS = 5_000;
    /** So many logs are read each second. */
    private static final int FEW = 8;
    /** The time that a control plane may take to start. */
    private static final long LOST_MILLIS = 180_000;

    private final Api api;
    private final Terminal terminal;
    private final LogReader reader;
    private final String job;
    private final Supplier<List<LogReader.Source>> sources;

    /** @param sources the logs that are wanted, as they are now */
    LogFollower(Api api, Terminal terminal, LogReader reader, String job, Supplier<List<LogReader.Source>> sources) {
        this.api = api;
        this.terminal = terminal;
        this.reader = reader;
        this.job = job;
        this.sources = sources;
    }

    void follow() {
        long heard = terminal.clock().millis();
        boolean lost = false;
        boolean ended = false;
        List<LogReader.Source> listed = List.of();
        long nextList = heard;
        while (!ended) {
            try {
                // Before the logs: what a task says before the end of the job is there then.
                boolean last = JobFollower.isEnd(JobFollower.status(api.get("jobs/" + Api.encode(job))));
                if (last || terminal.clock().millis() >= nextList) {
                    listed = sources.get();
                    nextList = terminal.clock().millis() + LIST_MILLIS;
                    reader.showMore(listed);
                } else if (listed.size() <= FEW) {
                    reader.showMore(listed.stream().map(LogReader.Source::again).toList());
                }
                ended = last;
                lost = false;
                heard = terminal.clock().millis();
            } catch (CommandFailure failure) {
                if (failure.exitCode() != ExitCode.NOT_REACHABLE
                        || terminal.clock().millis() - heard >= LOST_MILLIS) {
                    throw failure;
                }
                if (!lost) {
                    terminal.progress(failure.getMessage() + "\nwaiting for it up to " + LOST_MILLIS / 1000 + " s");
                }
                lost = true;
            }
            if (!ended && terminal.pause(TURN_MILLIS)) {
                break;
            }
        }
        reader.end();
    }
}
