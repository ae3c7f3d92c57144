package io.berth.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.simulator.report.BarChart.Bar;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** What a chart of bars contains. */
class BarChartTest {

    private static NodeList elements(String svg, String tag) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagName(tag);
    }

    private static List<String> texts(String svg) throws Exception {
        NodeList found = elements(svg, "text");
        List<String> texts = new ArrayList<>();
        for (int nth = 0; nth < found.getLength(); nth++) {
            texts.add(found.item(nth).getTextContent());
        }
        return texts;
    }

    private static List<Element> bars(String svg) throws Exception {
        NodeList found = elements(svg, "rect");
        List<Element> bars = new ArrayList<>();
        for (int nth = 0; nth < found.getLength(); nth++) {
            if (found.item(nth) instanceof Element bar
                    && bar.getAttribute("class").startsWith("bar")) {
                bars.add(bar);
            }
        }
        return bars;
    }

    @Test
    void namesMayHaveCharactersOfMarkup() throws Exception {
        BarChart chart = new BarChart(List.of("a<b & \"c\""));
        chart.panel("x < y", "s & t", List.of(new Bar(OptionalDouble.of(1), "1", false)));

        assertThat(texts(chart.text())).contains("a<b & \"c\"", "x < y", "s & t");
    }

    @Test
    void barsAreAsLongAsTheirValuesAndUnknownOnesHaveNoLength() throws Exception {
        BarChart chart = new BarChart(List.of("a", "b", "c"));
        chart.panel(
                "wait",
                "s",
                List.of(
                        new Bar(OptionalDouble.of(3_500), "3,500", false),
                        new Bar(OptionalDouble.of(7_000), "7,000", true),
                        new Bar(OptionalDouble.empty(), "-", false)));

        List<Element> bars = bars(chart.text());
        double half = Double.parseDouble(bars.get(0).getAttribute("width"));
        assertThat(half).isPositive();
        assertThat(Double.parseDouble(bars.get(1).getAttribute("width"))).isCloseTo(2 * half, within(0.11));
        assertThat(Double.parseDouble(bars.get(2).getAttribute("width"))).isZero();
        assertThat(bars).extracting(bar -> bar.getAttribute("class")).containsExactly("bar", "bar best", "bar");
        assertThat(texts(chart.text())).contains("0", "5,000").doesNotContain("10,000");
    }

    @Test
    void aPanelWithoutValuesAboveZeroHasAnAxis() throws Exception {
        BarChart chart = new BarChart(List.of("a"));
        chart.panel("jobs", "jobs", List.of(new Bar(OptionalDouble.of(0), "0", false)));

        assertThat(texts(chart.text())).contains("0", "1");
    }
}
