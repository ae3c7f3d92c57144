package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyPair;
import io.berth.simulator.replay.measure.ReplayResult;
import io.berth.simulator.seed.AnotherJvm;
import io.berth.simulator.traces.Node;
import io.berth.simulator.traces.Outage;
import io.berth.simulator.traces.TraceJob;
import io.berth.simulator.traces.TraceJob.Demand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same trace gives the same replay in any JVM: the messages, and each returned slot in its turn. */
class ReplayInAnotherJvmTest {

    @TempDir
    private Path directory;

    /** The program of the other JVM. */
    static final class Main {

        private Main() {}

        public static void main(String[] arguments) {
            replays().forEach(System.out::println);
        }
    }

    private static List<String> replays() {
        return List.of(
                replay("first-fit", Optional.empty()),
                replay("spread", Optional.empty()),
                replay("first-fit", Optional.of(new ReplayInput.Elastic(60, 2_000))));
    }

    /** Of 400 jobs on 20 nodes that are often full, and sometimes away. */
    private static String replay(String strategy, Optional<ReplayInput.Elastic> elastic) {
        Random random = new Random(7);
        List<Node> nodes = new ArrayList<>();
        List<Outage> outages = new ArrayList<>();
        for (int node = 0; node < 20; node++) {
            nodes.add(new Node("node-" + node, "", Small.profile(4 + 4 * (node % 3), 16_384, node % 4)));
            if (elastic.isEmpty()) {
                outages.add(Small.outage(node, 500 + 900 * node, 700 + 1_000 * node));
            }
        }
        List<TraceJob> jobs = new ArrayList<>();
        long arrival = 0;
        for (int job = 0; job < 400; job++) {
            arrival += random.nextInt(60_000);
            List<Demand> demands = new ArrayList<>();
            for (int size = 0; size <= job % 2; size++) {
                demands.add(new Demand(
                        Small.profile(1 + random.nextInt(3), 512 * (1 + random.nextInt(6)), random.nextInt(2) * size),
                        1 + random.nextInt(6)));
            }
            jobs.add(new TraceJob(
                    "job-" + job,
                    arrival,
                    OptionalLong.of(random.nextInt(900_000)),
                    demands,
                    "user-" + job % 7,
                    "queue-" + job % 3));
        }
        List<String> givenBack = new ArrayList<>();
        ReplayResult result = new Replay(
                        new ReplayInput(nodes, jobs, outages, elastic),
                        PolicyPair.of(PoliciesOfKind.shippedStrategy(strategy)),
                        (now, arrived, waiting) -> {},
                        slot -> givenBack.add(slot.toString()))
                .run();
        return strategy + " " + result.slots() + " " + result.steps() + " " + result.restarts() + " "
                + result.waitMean() + " "
                + result.slowdownMean() + " " + result.workersUsedMean() + " " + result.utilization() + " "
                + result.series().toString().hashCode() + " " + givenBack.size() + " " + givenBack.hashCode();
    }

    @Test
    void theSameTraceIsTheSameReplayInAnotherJvm() throws IOException, InterruptedException {
        AnotherJvm other = AnotherJvm.start(Main.class, directory.resolve("replays"));
        List<String> here = replays();

        assertThat(other.lines()).containsAll(here);
        assertThat(here).doesNotHaveDuplicates();
        assertThat(here.subList(0, 2))
                .as("slots, steps and restarts")
                .allMatch(line -> line.matches("(first-fit|spread) [1-9]\\d+ [1-9]\\d+ [1-9]\\d* .*"));
    }
}
