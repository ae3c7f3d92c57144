package io.berth.simulator.replay;

/** The texts of {@code --help} about replays. */
final class ReplayHelp {

    private static final String OPTIONS = """
              --nodes FILE      The cluster: Berth's own table or a node list of openb
              --jobs FILE       The jobs: Berth's own table, a pod list of openb, a log in the Standard Workload Format, or a
                                sample of SWIM
              --outages FILE    When nodes are away: Berth's own table or the list of LANL
              --policy matching=LIST  Matching strategies, separated by commas. Without 'matching=' it means the same.
                                NAME:KEY=VALUE:KEY=VALUE sets parameters. Durations of distribution policies and of rebalance are times of
                                the trace. Default: first-fit
              --policy distribution=LIST  Distribution policies in the same way, each of which is combined with each
                                strategy. Default: fifo
              --bundle JAR      A bundle with such policies, beside those of this release; may come again. Without
                                --policy, its policies are replayed
              --pool FILE       Queues and half-life, as in etc/io.berth.pool-default.cfg. Default: no queues
              %s
              --limit N         Only the first N jobs. Default: all
              --pack            One job arrives each second, in the order of the file, and stays: how many find room?
              --worker-start S  Nodes of one kind are a worker spec. Workers start when they are needed, which takes S
                                seconds. Default: all workers exist from the start
              --worker-idle S   How long such a worker may have no slots before it stops. Default: 1000
              --move-seconds S  Jobs that run return slots when they are asked for them, and take others. Each then stands still
                                for S seconds and until it has them, and keeps half of its slots. Default: they
                                return none
              --slot-cpus N     Maximum processors of a slot; only with the Standard Workload Format. Default: 1
              --outages-system N  The system whose outages are used; required with the list of LANL
              --nodes-format F  auto, own or openb. Default: auto, by name and first line; the next two options likewise
              --jobs-format F   auto, own, openb, swf or swim
              --outages-format F  auto, own or lanl
              --quiet           No progress on standard error
              -o table|json     Output format. Default: table
            Files may be compressed by gzip or xz.

            Exit code 0: the replay succeeded and slots were conserved, 1: they were not, 2: bad input.""";

    static final String SIMULATE =
            """

            Usage: berth simulate --nodes FILE --jobs FILE [--policy [matching=]LIST] [--policy distribution=LIST]
                                  [--pool FILE] [OPTION...]
            Replays a trace of jobs on a cluster in virtual time, and shows all figures of policies.

            """ + OPTIONS.formatted("--plot FILE.svg   Draws utilization and queue length over time");

    static final String COMPARE =
            """
            Usage: berth policy compare --jobs FILE --nodes FILE [--policy [matching=]LIST] [--policy distribution=LIST]
                                        [--svg FILE] [OPTION...]
            Replays a trace of jobs on a cluster in virtual time under each combination of policies, and compares them.

            """ + OPTIONS.formatted("--svg FILE.svg    Draws the table, with a bar for each combination");

    private ReplayHelp() {}
}
