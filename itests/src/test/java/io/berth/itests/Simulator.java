package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The process that {@code ./berth simulate} starts. */
final class Simulator {

    /** Names its jar, outside and inside of a container. */
    static final String JAR = "berth.simulator.jar";

    private Simulator() {}

    /** Makes exported decisions again, in a JVM of its own. */
    static Outcome decisions(Path export, List<Path> bundles, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-jar",
                BerthContainer.file(JAR).getAbsolutePath(),
                "--decisions",
                export.toString()));
        bundles.forEach(bundle -> command.addAll(List.of("--bundle", bundle.toString())));
        command.addAll(List.of(more));
        return Outcome.of(export.toAbsolutePath().getParent(), Map.of(), "", command);
    }

    /** Exports all decisions that a cluster recorded. The same policies make them again in another JVM, and others differ. */
    static void makeAllDecisionsAgain(OutsideCluster cluster, File policies) throws Exception {
        Path export = cluster.home().resolve("decisions.journal");
        cluster.commandLine("decisions", "export", "--output", export.toString())
                .well();
        List<Path> bundles = List.of(policies.getAbsoluteFile().toPath());
        String again = decisions(export, bundles).well().text();
        System.out.println(again);
        assertTrue(again, again.contains("inputs were made again: all are equal, bit by bit"));
        assertTrue(again, again.contains(" scaling decisions were made again: all are equal, bit by bit"));
        assertTrue(again, again.contains(" assignments were made again: all are equal, bit by bit"));
        String other = decisions(export, bundles, "--policy", "spread", "-o", "json")
                .well()
                .text();
        JsonNode compared = new ObjectMapper().readTree(other);
        assertEquals(other, 0, compared.get("lost").asInt());
        assertDiffers(other, compared.get("pools"), 30);
        String scaled = decisions(export, bundles, "--policy", "scaling:reactive", "-o", "json")
                .well()
                .text();
        assertDiffers(scaled, new ObjectMapper().readTree(scaled).get("scaling"), 10);
    }

    private static void assertDiffers(String text, JsonNode compared, int enough) {
        assertTrue(text, compared.get("decisions").asInt() > enough);
        assertTrue(
                text, compared.get("agreed").asInt() < compared.get("decisions").asInt());
    }
}
