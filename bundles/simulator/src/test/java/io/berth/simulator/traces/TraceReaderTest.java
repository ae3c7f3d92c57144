package io.berth.simulator.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.simulator.traces.TraceJob.Demand;
import io.berth.spi.ResourceProfile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** What is read of each format, how formats are detected, and how errors are rejected. */
class TraceReaderTest {

    private static final Path TRACES = Path.of("src/test/traces");
    private static final int ALL = 1_000;

    @TempDir
    Path directory;

    private static ResourceProfile profile(long cpuMillis, long mebibytes, Object... extended) {
        SortedMap<String, Long> amounts = new TreeMap<>();
        for (int index = 0; index < extended.length; index += 2) {
            amounts.put((String) extended[index], ((Integer) extended[index + 1]).longValue());
        }
        return new ResourceProfile(cpuMillis, mebibytes << 20, 0, 0, amounts);
    }

    private static Read<Node> nodes(Path path) {
        return TraceReader.nodes(path, TraceReader.AUTO);
    }

    private static Read<TraceJob> jobs(Path path) {
        return TraceReader.jobs(path, TraceReader.AUTO, OptionalInt.empty(), ALL);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    @Test
    void readsNodesOfItsOwnFormat() {
        Read<Node> read = nodes(TRACES.resolve("nodes.csv"));

        assertThat(read.format()).isEqualTo("own");
        assertThat(read.items())
                .containsExactly(
                        new Node("big-0", "V100", profile(8_000, 16_384, "gpu", 4)),
                        new Node("big-1", "V100", profile(8_000, 16_384, "gpu", 4)),
                        new Node("small", "", profile(2_500, 4_096)));
    }

    @Test
    void readsJobsOfItsOwnFormat() {
        Read<TraceJob> read = jobs(TRACES.resolve("jobs.csv"));

        assertThat(read.items())
                .hasSize(4)
                .startsWith(
                        new TraceJob(
                                "a",
                                0,
                                OptionalLong.of(100_000),
                                List.of(new Demand(profile(1_000, 1_024), 4)),
                                "ann",
                                "night"),
                        new TraceJob(
                                "b",
                                1_500,
                                OptionalLong.of(60_000),
                                List.of(new Demand(profile(2_000, 2_048, "gpu", 1), 2)),
                                "bob",
                                "night"),
                        new TraceJob(
                                "c",
                                2_000,
                                OptionalLong.empty(),
                                List.of(new Demand(profile(500, 512, "gpu", 2), 1)),
                                "",
                                "day"));
        assertThat(read.holes())
                .containsEntry("jobs without run time: they hold their slots to the end", 1L)
                .containsEntry("jobs without user", 1L)
                .hasSize(2);
    }

    @Test
    void readsOutagesOfItsOwnFormat() {
        Read<Outage> read = TraceReader.outages(
                TRACES.resolve("outages.csv"),
                TraceReader.AUTO,
                OptionalInt.empty(),
                nodes(TRACES.resolve("nodes.csv")).items(),
                0);

        assertThat(read.items()).containsExactly(new Outage(0, 50_000, 70_000), new Outage(2, 200_000, Outage.NEVER));
        assertThat(read.holes()).containsEntry("outages without end: the node does not come back", 1L);
    }

    @Test
    void readsNodesAndPodsOfOpenb() {
        Read<Node> nodes = nodes(TRACES.resolve("openb_nodes.csv"));
        Read<TraceJob> pods = jobs(TRACES.resolve("openb_pods.csv"));

        assertThat(nodes.format()).isEqualTo("openb");
        assertThat(nodes.items())
                .containsExactly(
                        new Node("openb-node-0000", "", profile(32_000, 262_144)),
                        new Node("openb-node-0001", "P100", profile(64_000, 262_144, "gpu", 2_000)));
        assertThat(pods.items())
                .containsExactly(
                        new TraceJob(
                                "openb-pod-0000",
                                0,
                                OptionalLong.of(500_000),
                                List.of(new Demand(profile(12_000, 16_384, "gpu", 1_000), 1)),
                                "",
                                "LS"),
                        new TraceJob(
                                "openb-pod-0001",
                                100_000,
                                OptionalLong.of(299_000),
                                List.of(new Demand(profile(6_000, 12_288, "gpu", 460, "gpu:P100|V100M16", 460), 1)),
                                "",
                                "LS"),
                        new TraceJob(
                                "openb-pod-0002",
                                200_000,
                                OptionalLong.of(60_000),
                                List.of(new Demand(profile(4_000, 12_288), 1)),
                                "",
                                "BE"));
        assertThat(pods.holes())
                .containsEntry("pods that were never scheduled: they run from creation to deletion", 1L);
    }

    @Test
    void podsWithoutTimesArriveOneEachSecondAndStay() throws IOException {
        Read<TraceJob> pods = jobs(
                file("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np0,1000,1,8,1000\np1,2000,2,0,0\n"));

        assertThat(pods.items()).extracting(TraceJob::arrivalMillis).containsExactly(0L, 1_000L);
        assertThat(pods.items()).allMatch(pod -> pod.runMillis().isEmpty());
        assertThat(pods.items().get(0).demands().get(0).profile()).isEqualTo(profile(1_000, 1, "gpu", 8_000));
        assertThat(pods.holes()).containsEntry("pods without times: one comes each second and stays to the end", 2L);
    }

    @Test
    void nodesHaveResourcesOfTheirOwnModelOnly() {
        List<Node> nodes = Models.on(
                nodes(TRACES.resolve("openb_nodes.csv")).items(),
                jobs(TRACES.resolve("openb_pods.csv")).items());

        assertThat(nodes.get(0).total()).isEqualTo(profile(32_000, 262_144));
        assertThat(nodes.get(1).total()).isEqualTo(profile(64_000, 262_144, "gpu", 2_000, "gpu:P100|V100M16", 2_000));
    }

    @Test
    void readsLogsInTheStandardWorkloadFormat() {
        Read<TraceJob> read = jobs(TRACES.resolve("log.swf"));

        ResourceProfile unknown = profile(1_000, 1);
        assertThat(read.format()).isEqualTo("swf");
        assertThat(read.items())
                .containsExactly(
                        new TraceJob(
                                        "15",
                                        599_850_000,
                                        OptionalLong.of(3_477_000),
                                        List.of(new Demand(unknown, 4)),
                                        "12",
                                        "")
                                .expecting(OptionalLong.of(53_940_000)),
                        new TraceJob(
                                        "16",
                                        600_022_000,
                                        OptionalLong.of(2_488_000),
                                        List.of(new Demand(profile(1_000, 2), 25)),
                                        "13",
                                        "3")
                                .expecting(OptionalLong.of(3_600_000)),
                        new TraceJob(
                                        "21",
                                        603_930_000,
                                        OptionalLong.of(29_000),
                                        List.of(new Demand(unknown, 8)),
                                        "",
                                        "")
                                .expecting(OptionalLong.of(2_400_000)));
        assertThat(read.holes())
                .containsEntry("job numbers missing in the log", 2L)
                .containsEntry("jobs left out: run time not known", 1L)
                .containsEntry("jobs left out: canceled before they started", 1L)
                .containsEntry("jobs without allocated processors: requested processors count", 1L)
                .containsEntry("jobs without memory: 1 MiB per processor counts", 1L)
                .containsEntry("jobs without user", 1L)
                .containsEntry("jobs without queue", 2L)
                .hasSize(7);
    }

    @Test
    void processorsAreCutIntoSlotsAndTheRestIsASmallerOne() {
        Read<TraceJob> read = TraceReader.jobs(TRACES.resolve("log.swf"), "swf", OptionalInt.of(16), ALL);

        assertThat(read.items().get(0).demands()).containsExactly(new Demand(profile(4_000, 4), 1));
        assertThat(read.items().get(1).demands())
                .containsExactly(new Demand(profile(16_000, 32), 1), new Demand(profile(9_000, 18), 1));
    }

    @Test
    void derivesSlotsAndRunTimesFromTheBytesOfSwim() {
        Read<TraceJob> read = jobs(TRACES.resolve("sample.tsv"));

        assertThat(read.format()).isEqualTo("swim");
        assertThat(read.items()).extracting(TraceJob::arrivalMillis).containsExactly(49_000L, 101_000L, 122_000L);
        assertThat(read.items()).extracting(TraceJob::slots).containsExactly(1, 1, 10);
        // 10 s to start; 3.5 MiB at 20 MiB/s; nothing; 1280 MiB on ten slots.
        assertThat(read.items())
                .extracting(job -> job.runMillis().getAsLong())
                .containsExactly(10_177L, 10_000L, 16_400L);
        assertThat(read.holes()).containsEntry("jobs without bytes: they run for the start-up time", 1L);
    }

    @Test
    void readsOutagesOfOneSystemOfLanl() {
        List<Node> nodes = nodes(TRACES.resolve("nodes.csv")).items();
        Read<Outage> read =
                TraceReader.outages(TRACES.resolve("lanl.csv"), TraceReader.AUTO, OptionalInt.of(20), nodes, 1_000);

        assertThat(read.format()).isEqualTo("lanl");
        assertThat(read.items())
                .containsExactly(
                        new Outage(1, 1_000 + 86_400_000, 1_000 + 86_400_000 + 5_400_000),
                        new Outage(0, 1_000, 601_000));
        assertThat(read.holes())
                .containsEntry("outages of other systems, left out", 1L)
                .containsEntry("outages of nodes beyond those of the cluster, left out", 1L)
                .containsEntry("outages that end when they begin, left out", 1L)
                .containsEntry("outages without node, left out", 1L)
                .containsEntry("outages whose down time differs from begin to end: begin and end count", 1L)
                .hasSize(5);
    }

    @Test
    void readsFilesCompressedByGzipAndXz() throws IOException {
        byte[] log = Files.readAllBytes(TRACES.resolve("log.swf"));
        ByteArrayOutputStream gzip = new ByteArrayOutputStream();
        try (OutputStream to = new GZIPOutputStream(gzip)) {
            to.write(log);
        }
        ByteArrayOutputStream xz = new ByteArrayOutputStream();
        try (OutputStream to = new XZOutputStream(xz, new LZMA2Options(1))) {
            to.write(log);
        }

        assertThat(jobs(Files.write(directory.resolve("log.swf.gz"), gzip.toByteArray())))
                .isEqualTo(jobs(TRACES.resolve("log.swf")));
        assertThat(jobs(Files.write(directory.resolve("log.xz"), xz.toByteArray()))
                        .items())
                .hasSize(3);
        byte[] cut = Arrays.copyOf(xz.toByteArray(), 60);
        assertThatThrownBy(() -> jobs(Files.write(directory.resolve("cut.swf.xz"), cut)))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining("cut.swf.xz:1:1: cannot be read further");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "name,cpu,memory_mib\\nn,x,1 ~ :2:3: field cpu is 'x': allowed is a number from 0.001 to 1000000",
                "name,cpu,memory_mib\\nn,1,0 ~ :2:5: field memory_mib is '0': allowed is a whole number from 1 to",
                "name,cpu,memory_mib\\n,1,1 ~ :2:1: field name is '': allowed is a name",
                "name,cpu,memory_mib\\nn,1,1\\nn,1,1 ~ :3:1: field name is 'n': allowed is a name once: node n is in line 2",
                "name,cpu,memory_mib\\nn,1 ~ :2:3: the line has 2 fields: allowed are 3: name,cpu,memory_mib",
                "name,cpu,memory_mib\\nn,1,1,1 ~ :2:7: the line has 4 fields: allowed are 3",
                "name,cpu,memory ~ :1:10: field column is 'memory': allowed is one of name, cpu, memory_mib, count",
                "name,cpu,cpu ~ :1:10: field column is 'cpu': allowed is each once",
                "name,cpu ~ :1:6: field last column is 'cpu': allowed is a header with memory_mib, which is missing",
                "name,cpu,memory_mib,count\\nn,1,1,0 ~ :2:7: field count is '0': allowed is a whole number from 1",
                "name,cpu,memory_mib,resource.gpu\\nn,1,1,-2 ~ :2:7: field resource.gpu is '-2': allowed is a whole number from 0",
                "name,cpu,memory_mib\\n\"n,1,1 ~ :2:1: a quote is opened but not closed",
                "name,cpu,memory_mib\\n\"n\"x,1,1 ~ :2:4: 'x' follows a field in quotes",
                "name,cpu,memory_mib ~ has no nodes: at least one is needed",
                "sn,cpu_milli,memory_mib,gpu,model\\nn,1,1,x, ~ :2:7: field gpu is 'x': allowed is a whole number from 0 to 1000",
                "sn,cpu_milli,memory_mib,gpu,model\\nn,1,1,0,\\nn,1,1,0, ~ :3:1: field sn is 'n': allowed is a name once",
            })
    void badNodesAreRefusedWithLineAndColumn(String content, String message) throws IOException {
        Path file = file("nodes.csv", content.replace("\\n", "\n"));

        assertThatThrownBy(() -> nodes(file))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining(file + "")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "name,arrival_s,run_s,slots,cpu,memory_mib\\na,-1,1,1,1,1 ~ :2:3: field arrival_s is '-1': allowed is a number from 0",
                "name,arrival_s,run_s,slots,cpu,memory_mib\\na,0,1.0005,1,1,1 ~ :2:5: field run_s is '1.0005': allowed is a number",
                "name,arrival_s,run_s,slots,cpu,memory_mib\\na,0,1,0,1,1 ~ :2:7: field slots is '0': allowed is a whole number from 1",
                "name,cpu_milli,memory_mib,num_gpu,gpu_milli\\np,1,1,1,2000 ~ :2:9: field gpu_milli is '2000': allowed is a whole",
                "1 2 3 ~ :1:1: field column is '1 2 3': allowed is one of name, arrival_s",
                ";\\n1 2 3 ~ :2:5: the line has 3 fields: allowed are 18: those of the Standard Workload Format",
                ";\\n1 -2 0 1 1 -1 -1 1 1 -1 1 1 1 1 1 1 1 1 ~ :2:3: field submit time is '-2': allowed is a whole number from 0 to",
                ";\\n1 2 0 1.5 1 -1 -1 1 1 -1 1 1 1 1 1 1 1 1 ~ field run time is '1.5': allowed is a whole number from 0",
                ";\\n1 2 0 1 1 -1 -1 1 1 -1 6 1 1 1 1 1 1 1 ~ :2:24: field status is '6': allowed is a whole number from 0 to 5",
                ";\\n1 2 0 1 1 -1 -1 1 1 8589934593 1 1 1 1 1 1 1 1 ~ :2:21: field requested memory is '8589934593': allowed is a whole "
                        + "number from 0 to 8589934592, or -1",
                ";\\n1 2 0 1 1 -1 8589934593 1 1 -1 1 1 1 1 1 1 1 1 ~ :2:14: field used memory is '8589934593': allowed is a whole",
                "; only a header ~ has no jobs that can be replayed",
                "j\\t1\\t1\\t1\\t1 ~ :1:9: the line has 5 fields: allowed are 6: job, submit time, gap, input",
                "j\\t1\\t1\\t1\\tx\\t1 ~ :1:9: field shuffle bytes is 'x': allowed is a whole number from 0",
            })
    void badJobsAreRefusedWithLineAndColumn(String content, String message) throws IOException {
        Path file = file("jobs", content.replace("\\n", "\n").replace("\\t", "\t"));

        assertThatThrownBy(() -> jobs(file)).isInstanceOf(BadTrace.class).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "node,down_s,up_s\\nnobody,1,2 ~ :2:1: field node is 'nobody': allowed is the name of a node of the cluster, as big-0",
                "node,down_s,up_s\\nbig-0,3,2 ~ :2:9: field up_s is '2': allowed is a number from 3",
            })
    void badOutagesAreRefusedWithLineAndColumn(String content, String message) throws IOException {
        List<Node> nodes = nodes(TRACES.resolve("nodes.csv")).items();
        Path file = file("outages.csv", content.replace("\\n", "\n"));

        assertThatThrownBy(() -> TraceReader.outages(file, TraceReader.AUTO, OptionalInt.empty(), nodes, 0))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "20,1,13/1/2002 9:00,1/3/2002 9:45,45 ~ :2:6: field Prob Started is '13/1/2002 9:00': allowed is a time as 9/6/2005",
                "20,1,1/3/2002 9:45,1/3/2002 9:00,45 ~ :2:20: field Prob Fixed is '1/3/2002 9:00': allowed is a time that is not",
                "x,1,1/3/2002 9:45,1/3/2002 9:50,5 ~ :2:1: field System is 'x': allowed is a whole number",
                "3,1,1/3/2002 9:45,1/3/2002 9:50,5 ~ has no outage of a node of system 20: its systems are [3]",
            })
    void badOutagesOfLanlAreRefused(String line, String message) throws IOException {
        List<Node> nodes = nodes(TRACES.resolve("nodes.csv")).items();
        Path file = file("lanl.csv", "System,nodenumz,Prob Started,Prob Fixed,Down Time\n" + line + "\n");

        assertThatThrownBy(() -> TraceReader.outages(file, TraceReader.AUTO, OptionalInt.of(20), nodes, 0))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining(message);
    }

    @Test
    void countsTheMaximumMemoryTimesTheMaximumProcessors() throws IOException {
        Read<TraceJob> read = TraceReader.jobs(
                file("log.swf", "1 2 0 1 1000000 -1 -1 1 1 8589934592 1 1 1 1 1 1 1 1\n"),
                TraceReader.AUTO,
                OptionalInt.of(1_000_000),
                ALL);

        assertThat(read.items().get(0).demands())
                .containsExactly(new Demand(ResourceProfile.of(1_000_000_000L, 1_000_000L << 43), 1));
    }

    @Test
    void rejectsNodesWithTooManyResourcesWithLineAndColumn() throws IOException {
        String names = IntStream.range(0, 33)
                .mapToObj(number -> ",resource.r" + number)
                .collect(Collectors.joining());
        String amounts = ",1".repeat(32);
        String header = "name,cpu,memory_mib" + names + "\n";

        assertThat(nodes(file("few.csv", header + "n,1,1" + amounts + ",0\nm,1,1," + amounts + "\n"))
                        .items())
                .hasSize(2);
        Path many = file("many.csv", header + "n,1,1" + amounts + ",0\nm,1,1" + amounts + ",7\n");
        assertThatThrownBy(() -> nodes(many))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining(
                        "many.csv:3:71: field resource.r32 is '7': allowed is 0 or nothing: the node has 33"
                                + " resources besides cpu and memory, allowed are 32");
    }

    @Test
    void namesMissingFiles() {
        assertThatThrownBy(() -> nodes(directory.resolve("none.csv")))
                .isInstanceOf(BadTrace.class)
                .hasMessageContaining("none.csv: does not exist");
        assertThatThrownBy(() -> nodes(directory)).hasMessageContaining("is not a file");
    }

    @Test
    void aSystemIsRequiredForListsOfLanlAndRejectedForOthers() {
        List<Node> nodes = nodes(TRACES.resolve("nodes.csv")).items();

        assertThatThrownBy(() -> TraceReader.outages(
                        TRACES.resolve("lanl.csv"), TraceReader.AUTO, OptionalInt.empty(), nodes, 0))
                .hasMessageContaining("option --outages-system is not given")
                .hasMessageContaining("needed with format lanl");
        assertThatThrownBy(() -> TraceReader.outages(
                        TRACES.resolve("outages.csv"), TraceReader.AUTO, OptionalInt.of(2), nodes, 0))
                .hasMessageContaining("option --outages-system is given");
    }
}
