package io.berth.ops.cli.process;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of all commands that replay traces. The simulator checks them. */
final class ReplayOptions {

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description = "The cluster that a trace is replayed on: Berth's own table or a node list of openb")
    private Optional<String> nodes = Optional.empty();

    @Option(
            names = "--outages",
            paramLabel = "FILE",
            description = "When nodes are away: Berth's own table or the list of LANL")
    private Optional<String> outages = Optional.empty();

    @Option(
            names = "--pool",
            paramLabel = "FILE",
            description =
                    "Queues and half-life of the pool of a replay, as in etc/io.berth.pool-default.cfg. Default: no "
                            + "queues")
    private Optional<String> pool = Optional.empty();

    @Option(
            names = "--bundle",
            paramLabel = "JAR",
            description = "A bundle with policies, beside those of this release; may come again")
    private List<String> bundles = new ArrayList<>();

    @Option(names = "--limit", paramLabel = "N", description = "Only the first N jobs of a trace. Default: all")
    private Optional<String> limit = Optional.empty();

    @Option(
            names = "--pack",
            description =
                    "Jobs of a trace arrive one per second, in the order of the file, and stay: how many find room?")
    private boolean pack;

    @Option(
            names = "--worker-start",
            paramLabel = "S",
            description =
                    "Nodes of one kind are a worker spec: workers are started when they are needed, which takes S "
                            + "seconds. Default: all are there")
    private Optional<String> workerStart = Optional.empty();

    @Option(
            names = "--worker-idle",
            paramLabel = "S",
            description = "How long such a worker is kept without slots. Default: 1000")
    private Optional<String> workerIdle = Optional.empty();

    @Option(
            names = "--move-seconds",
            paramLabel = "S",
            description =
                    "Jobs that run return slots when they are asked for them, and take others: each then stands still "
                            + "for S seconds and until it has them, and keeps half of its slots. Default: they return none")
    private Optional<String> moveSeconds = Optional.empty();

    @Option(
            names = "--slot-cpus",
            paramLabel = "N",
            description = "Processors of a slot at most, with the Standard Workload Format. Default: 1")
    private Optional<String> slotCpus = Optional.empty();

    @Option(
            names = "--outages-system",
            paramLabel = "N",
            description = "System in the list of LANL whose outages are used; required with that list")
    private Optional<String> outagesSystem = Optional.empty();

    @Option(
            names = "--nodes-format",
            paramLabel = "F",
            description = "auto, own or openb. Default: auto, by name and first line; so are the next two")
    private Optional<String> nodesFormat = Optional.empty();

    @Option(names = "--jobs-format", paramLabel = "F", description = "auto, own, openb, swf or swim")
    private Optional<String> jobsFormat = Optional.empty();

    @Option(names = "--outages-format", paramLabel = "F", description = "auto, own or lanl")
    private Optional<String> outagesFormat = Optional.empty();

    @Option(names = "--quiet", description = "No progress of a replay on standard error")
    private boolean quiet;

    /** Adds those that were given to the arguments of the simulator. */
    void addTo(ToolProcess simulator) {
        simulator.give("--nodes", nodes);
        simulator.give("--outages", outages);
        simulator.give("--pool", pool);
        simulator.give("--bundle", bundles);
        simulator.give("--limit", limit);
        simulator.give("--worker-start", workerStart);
        simulator.give("--worker-idle", workerIdle);
        simulator.give("--move-seconds", moveSeconds);
        simulator.give("--slot-cpus", slotCpus);
        simulator.give("--outages-system", outagesSystem);
        simulator.give("--nodes-format", nodesFormat);
        simulator.give("--jobs-format", jobsFormat);
        simulator.give("--outages-format", outagesFormat);
        simulator.give("--pack", pack);
        simulator.give("--quiet", quiet);
    }
}
