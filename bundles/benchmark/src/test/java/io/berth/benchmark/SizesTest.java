package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.report.SizeSeries;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * {@code berth bench matching --events N --sizes T,T --plot FILE}: the cost of changes on clusters of several sizes.
 */
class SizesTest {

    @TempDir
    Path directory;

    private final CommandLineRun command = new CommandLineRun();

    private static Report report(double micros, double nanos) {
        return new Report().number("cpuMicrosPerDecision", micros).number("strategyCpuNanosPerPair", nanos);
    }

    private static List<String> attributes(String svg, String element, String attribute) throws Exception {
        NodeList found = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName(element);
        List<String> values = new ArrayList<>();
        for (int index = 0; index < found.getLength(); index++) {
            values.add(((Element) found.item(index)).getAttribute(attribute));
        }
        return values;
    }

    @Test
    void measuresEachSizeAndDrawsThem() throws IOException {
        Path plot = directory.resolve("sizes.svg");

        JsonNode result = command.json(
                "matching --warm-ms 0 --runs 1 --profiles 2 --events 20000 --sizes 5,50 -o json",
                "--plot",
                plot.toString());

        assertThat(result.get("benchmark").asText()).isEqualTo("sizes");
        assertThat(result.get("policy").asText()).isEqualTo("first-fit");
        assertThat(result.get("events").asInt()).isEqualTo(20_000);
        assertThat(result.get("sizes")).hasSize(2);
        assertThat(result.get("sizes").findValuesAsText("workers")).containsExactly("5", "50");
        assertThat(result.get("sizes").findValuesAsText("requests")).containsExactly("50", "500");
        for (JsonNode size : result.get("sizes")) {
            assertThat(size.get("cpuMicrosPerDecision").asDouble()).isPositive();
            assertThat(size.get("callCpuNanosPerPair").asDouble()).isPositive();
        }
        assertThat(Files.readString(plot)).startsWith("<svg").contains("5 workers", "50 workers", "first-fit");
    }

    @Test
    void drawsProcessorTimeOverWorkersOnALogarithmicAxis() throws Exception {
        SizeSeries series = new SizeSeries("spread", 100);
        series.add(1_000, report(50, 300));
        series.add(10_000, report(100, 300));
        series.add(100_000, report(200, 300));

        String svg = series.chart().text();

        // 810 wide from 70 on; 170 high, ending at 220 and at 440.
        assertThat(attributes(svg, "polyline", "points"))
                .containsExactly("70.0,177.5 475.0,135.0 880.0,50.0", "70.0,270.0 475.0,270.0 880.0,270.0");
        assertThat(svg)
                .contains(">CPU per decision of 100 changes, us<")
                .contains("<text x=\"475.0\" y=\"236\" text-anchor=\"middle\">10000 workers</text>");
    }

    @Test
    void writesATableWithALineForEachSize() {
        int code = command.run("matching", "--warm-ms", "0", "--runs", "1", "--events", "20000", "--sizes", "5,50");

        assertThat(code).as(command.err()).isZero();
        assertThat(command.out().lines())
                .hasSize(4)
                .anyMatch(line -> line.startsWith("workers  requests  cpuMicrosPerDecision"))
                .anyMatch(line -> line.matches(" +5 +50 +[0-9.]+ .*"))
                .anyMatch(line -> line.matches(" +50 +500 +[0-9.]+ .*"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--sizes 5,50|option --sizes is given without --events N",
                "--events 9 --sizes 5|option --sizes is '5': allowed are at least two whole numbers from 1 to 1000000",
                "--events 9 --sizes 50,5|option --sizes is '50,5'",
                "--events 9 --sizes 0,5|option --sizes is '0,5'",
                "--events 9 --sizes 5,1000001|option --sizes is '5,1000001'",
                "--events 9 --sizes 5,50 --workers 7|option --workers is given with --sizes",
                "--events 9 --sizes 5,50 --requests 7|option --requests is given with --sizes",
                "--events 9 --sizes 5,50 --plot x.png|option --plot is 'x.png': allowed is the name of a file that ends in .svg",
                "--events 9 --sizes 5,50 --plot nowhere/x.svg|does not exist; create it first",
                "--events 9 --plot x.svg|option --plot is given without --sizes",
            })
    void refusesWhatIsNotAllowed(String options, String message) {
        assertThat(command.run(("matching " + options).split(" "))).isEqualTo(2);

        assertThat(command.err()).contains(message).contains("--help");
        assertThat(command.out()).isEmpty();
    }
}
