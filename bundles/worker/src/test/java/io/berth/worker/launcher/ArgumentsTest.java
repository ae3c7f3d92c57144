package io.berth.worker.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.worker.launcher.Arguments.BadArgument;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArgumentsTest {

    @Test
    void readsAllArguments() throws BadArgument {
        Arguments arguments = Arguments.parse(
                List.of(("--master 127.0.0.1:7077 --id w-1 --cpu 1.5 --memory 512m --off-heap 1g --managed 64m"
                                + " --resource gpu=2 --resource a=b=3 --slots 3 --backend local --spec big"
                                + " --work /tmp/w --logs /tmp/logs --resource-manager-timeout-ms 1500 --label zone=a --label rack=r=1"
                                + " --cost-per-hour 0.25 --runtime flush.interval.ms=5 --runtime exchange.threads=2")
                        .split(" ")),
                8);

        assertThat(arguments.masters()).containsExactly("127.0.0.1:7077");
        assertThat(arguments.id()).contains("w-1");
        assertThat(arguments.cpuMillis()).isEqualTo(1_500);
        assertThat(arguments.heapBytes()).isEqualTo(512L << 20);
        assertThat(arguments.offHeapBytes()).isEqualTo(1L << 30);
        assertThat(arguments.managedBytes()).isEqualTo(64L << 20);
        assertThat(arguments.resources()).isEqualTo(new TreeMap<>(Map.of("gpu", 2L, "a=b", 3L)));
        assertThat(arguments.slots()).isEqualTo(3);
        assertThat(arguments.backend()).isEqualTo("local");
        assertThat(arguments.spec()).isEqualTo("big");
        assertThat(arguments.work()).contains("/tmp/w");
        assertThat(arguments.logs()).contains("/tmp/logs");
        assertThat(arguments.resourceManagerTimeoutMillis()).isEqualTo(1_500);
        assertThat(arguments.labels()).containsEntry("zone", "a").containsEntry("rack", "r=1");
        assertThat(arguments.costPerHour()).isEqualTo(0.25);
        assertThat(arguments.runtime()).containsExactly("flush.interval.ms=5", "exchange.threads=2");
    }

    @Test
    void takesTheAddressesOfSeveralMastersInTheirOrder() throws BadArgument {
        Arguments arguments = Arguments.parse(List.of("--master", "b:7077,a:7078"), 8);

        assertThat(arguments.masters()).containsExactly("b:7077", "a:7078");
    }

    @Test
    void needsOnlyTheMaster() throws BadArgument {
        Arguments arguments = Arguments.parse(List.of("--master", "localhost:7077"), 8);

        assertThat(arguments.cpuMillis()).isEqualTo(8_000);
        assertThat(arguments.heapBytes()).isEqualTo(1L << 30);
        assertThat(arguments.offHeapBytes()).isZero();
        assertThat(arguments.managedBytes()).isZero();
        assertThat(arguments.resources()).isEmpty();
        assertThat(arguments.backend()).isEqualTo("standalone");
        assertThat(arguments.spec()).isEmpty();
        assertThat(arguments.resourceManagerTimeoutMillis()).isEqualTo(300_000);
        assertThat(arguments.costPerHour()).as("not known").isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--host 192.0.2.1 | argument --host is '192.0.2.1': allowed is a loopback address such as 127.0.0.1",
                "--host 0.0.0.0 | argument --host is '0.0.0.0': allowed is the name or an address of an interface",
                "--security d | argument --id is missing: with --security",
                "--cpu x | argument --cpu is 'x': allowed is a number of cores above 0",
                "--runtime threads | argument --runtime is 'threads': allowed is KEY=VALUE",
                "--cpu 0 | argument --cpu is '0': allowed is a number of cores above 0",
                "--cpu 1.0001 | argument --cpu is '1.0001': allowed is a number of cores above 0 with at most three decimals",
                "--cpu 1e30 | argument --cpu is '1e30': allowed is",
                "--memory 1x | argument --memory is '1x': allowed is a number of bytes above 0",
                "--memory 99999999999999t | argument --memory is '99999999999999t': allowed is",
                "--memory 0 | argument --memory is '0': allowed is a number of bytes above 0",
                "--off-heap some | argument --off-heap is 'some': allowed is a number of bytes, with k, m, g or t",
                "--managed -1 | argument --managed is '-1': allowed is a number of bytes, with k, m, g or t",
                "--resource gpu | argument --resource is 'gpu': allowed is NAME=AMOUNT, each name once",
                "--resource gpu=0 | argument --resource is 'gpu=0': allowed is NAME=AMOUNT, each name once",
                "--resource gpu=1 --resource gpu=2 | argument --resource is 'gpu=2': allowed is NAME=AMOUNT, each name once",
                "--slots 0 | argument --slots is '0': allowed is a whole number from 1 to 10000",
                "--master 127.0.0.1 | argument --master is '127.0.0.1': allowed is HOST:PORT with a port from 1 to 65535",
                "--master a:70000 | argument --master is 'a:70000': allowed is HOST:PORT with a port from 1 to 65535",
                "--master a:1,b | argument --master is 'a:1,b': allowed is HOST:PORT with a port from 1 to 65535, several with commas",
                "--master a:1, | argument --master is 'a:1,': allowed is HOST:PORT",
                "--master a:1,,b:2 | argument --master is 'a:1,,b:2': allowed is HOST:PORT",
                "--master a:1,a:1 | argument --master is 'a:1,a:1': allowed is HOST:PORT with a port from 1 to 65535, several with commas between, each once",
                "--id a/b | argument --id is 'a/b': allowed is 1 to 120 letters",
                "--label zone | argument --label is 'zone': allowed is KEY=VALUE",
                "--taint berth.spec=a | argument --taint is 'berth.spec=a': allowed is KEY=VALUE with a key that does not",
                "--resource-manager-timeout-ms 1.5 | argument --resource-manager-timeout-ms is '1.5': allowed is a whole number",
                "--cost-per-hour -1 | argument --cost-per-hour is '-1': allowed is a number from 0 to 1000000, for example",
                "--cost-per-hour NaN | argument --cost-per-hour is 'NaN': allowed is a number from 0 to 1000000",
                "--cost-per-hour 1e3 | argument --cost-per-hour is '1e3': allowed is a number from 0 to 1000000",
                "--cost-per-hour 1000000.1 | argument --cost-per-hour is '1000000.1': allowed is a number from 0 to",
                "--color red | argument '--color' is unknown: allowed are [--master",
                "--slots | argument --slots has no value",
                "--slots 1 --slots 2 | argument --slots is given twice"
            })
    void namesTheBadArgumentItsValueAndWhatIsAllowed(String words, String message) {
        boolean hasMaster = words.contains("--master");
        List<String> line = Stream.concat(
                        hasMaster ? Stream.of() : Stream.of("--master", "127.0.0.1:7077"), Stream.of(words.split(" ")))
                .toList();

        assertThatThrownBy(() -> Arguments.parse(line, 2))
                .isInstanceOf(BadArgument.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void masterIsRequired() {
        assertThatThrownBy(() -> Arguments.parse(List.of(), 2)).hasMessageContaining("--master is missing");
    }

    @Test
    void helpNamesEveryArgument() {
        assertThat(Arguments.isHelpRequested(List.of("--help"))).isTrue();
        assertThat(Arguments.HELP)
                .contains(
                        "--resource-manager-timeout-ms",
                        "--label",
                        "--off-heap SIZE",
                        "--managed SIZE",
                        "--resource NAME=AMOUNT",
                        "--cost-per-hour N",
                        "exit codes");
    }
}
