package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.core.dispatcher.description.DescriptionNode.Sequence;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptionBundlesTest {

    private static final String SHA256 = "0".repeat(64);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: j\nvertices: [{name: a, operator: b, parallelism: 007, configuration: {x: +5, y: '5', z: true}}]\n",
                "  name: j\n  bundles:\n  - file:x.jar\n  vertices:\n  - name: a\n    text: \"q\\\"\\n\u00fc\"\n    none:\n",
                "{name: j, bundles: [abc], labels: {a: 1e5}}",
                "{\"name\": \"j\", \"bundles\": [\"abc\"], \"x\": [1, -2.5, true, null, \"true\"]}"
            })
    void onlyTheBundlesAreOthers(String description) {
        Mapping before = read(description);
        Mapping after = read(DescriptionBundles.replaced(description, SHA256));
        Map<String, DescriptionNode> expected = new LinkedHashMap<>(before.fields());
        expected.put("bundles", new Sequence(List.of(new Scalar(SHA256, ScalarKind.TEXT))));
        assertThat(after.fields()).isEqualTo(expected);
    }

    private static Mapping read(String text) {
        return (Mapping) DescriptionReader.read(text).root().orElseThrow();
    }

    @Test
    void whatCannotBeReadStays() {
        for (String text : List.of("", "name: [", "- a", "a: 1\na: 2")) {
            assertThat(DescriptionBundles.replaced(text, SHA256)).isEqualTo(text);
        }
    }
}
