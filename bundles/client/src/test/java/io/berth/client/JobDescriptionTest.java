package io.berth.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobDescriptionTest {

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    @Test
    void aBuilderMakesWhatAFileWouldSay() throws IOException {
        JobDescription built = JobDescription.named("word-count")
                .queue("night")
                .pool("small")
                .submitter("ann")
                .priority(-5)
                .expectedRuntime(Duration.ofMinutes(90))
                .label("team", "etl")
                .scaling("target-rate", Map.of("utilization", "0.6"))
                .bundle("ab12")
                .vertex("read", "file-source", v -> v.parallelism(1, 3, 4).set("path", "/data/text"))
                .vertex(
                        "count",
                        "word-count",
                        v -> v.parallelism(2, 4).maxParallelism(64).group("large"))
                .vertex("copy", "copy", v -> v.parallelism(3).set("limit", 7))
                .vertex("write", "file-sink")
                .edge("read", "count", Partitioning.HASH)
                .edge("count", "write", Partitioning.REBALANCE, JobDescription.Edge::blocking)
                .edge("read", "copy", Partitioning.FORWARD, e -> e.input(2).output("late"))
                .group(
                        "large",
                        g -> g.size(0.5, "512m")
                                .offHeap("1g")
                                .managed("64m")
                                .extended("gpu", 2)
                                .require("zone", "a", "b")
                                .requireLabel("ssd")
                                .prefer(3, "rack", "r1")
                                .tolerate("gpu")
                                .tolerate("team", "etl")
                                .spread("zone", 2))
                .build();
        assertThat(json(built.toString())).isEqualTo(json("""
                {"name": "word-count", "queue": "night", "pool": "small", "submitter": "ann", "priority": -5,
                 "expectedRuntime": "5400000ms", "labels": {"team": "etl"},
                 "policies": {"scaling": {"name": "target-rate", "utilization": "0.6"}},
                 "bundles": ["ab12"],
                 "vertices": [
                   {"name": "read", "operator": "file-source", "parallelism": {"min": 1, "desired": 3, "max": 4},
                    "configuration": {"path": "/data/text"}},
                   {"name": "count", "operator": "word-count", "parallelism": {"min": 2, "max": 4},
                    "maxParallelism": 64, "slotSharingGroup": "large"},
                   {"name": "copy", "operator": "copy", "parallelism": 3, "configuration": {"limit": 7}},
                   {"name": "write", "operator": "file-sink"}],
                 "edges": [{"from": "read", "to": "count", "partitioning": "hash"},
                   {"from": "count", "to": "write", "partitioning": "rebalance", "exchange": "blocking"},
                   {"from": "read", "to": "copy", "partitioning": "forward", "input": 2, "output": "late"}],
                 "slotSharingGroups": [{"name": "large", "cpu": 0.5, "heap": "512m", "offHeap": "1g", "managed": "64m",
                   "extended": {"gpu": 2},
                   "constraints": {
                     "require": [{"label": "zone", "in": ["a", "b"]}, {"label": "ssd", "exists": true}],
                     "prefer": [{"label": "rack", "weight": 3, "in": ["r1"]}],
                     "tolerate": [{"taint": "gpu"}, {"taint": "team", "value": "etl"}],
                     "spread": {"label": "zone", "maxSkew": 2}}}]}
                """));
    }

    @Test
    void storedBundlesAreNamedByTheirHashes() throws IOException {
        JobDescription built = JobDescription.named("j")
                .bundle("ab12")
                .bundle(Path.of("words.jar"))
                .vertex("a", "b")
                .build();
        assertThat(built.bundles()).containsExactly(Path.of("words.jar"));
        assertThat(json(built.text(List.of("cd34"))).path("bundles")).isEqualTo(json("[\"ab12\", \"cd34\"]"));
        assertThat(json(built.toString()).path("bundles"))
                .as("it stays as it is")
                .isEqualTo(json("[\"ab12\"]"));
    }

    @Test
    void aTextIsSubmittedAsItIs() {
        JobDescription yaml = JobDescription.of("name: j\nvertices: []\n");
        assertThat(yaml.text(List.of())).isEqualTo("name: j\nvertices: []\n");
        assertThat(yaml.isJson()).isFalse();
        assertThat(JobDescription.of(" {}").isJson()).isTrue();
    }

    @Test
    void stepsMayHaveOtherRuntimes() {
        assertThat(JobDescription.named("sum")
                        .process("sum", v -> v.parallelism(3).set("command", "./sum"))
                        .vertex("tick", "ticker", v -> v.runtime("service"))
                        .build()
                        .toString())
                .isEqualToIgnoringWhitespace("""
                        {"name": "sum", "vertices": [
                          {"name": "sum", "runtime": "process", "parallelism": 3, "configuration": {"command": "./sum"}},
                          {"name": "tick", "operator": "ticker", "runtime": "service"}]}
                        """);
    }
}
