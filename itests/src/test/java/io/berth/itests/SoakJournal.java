package io.berth.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.berth.core.api.operations.PolicyOperations;
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Dictionary;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** Records the decisions of the soak test from some moment on, and lets another JVM make them again. */
final class SoakJournal {

    private static final String PID = "io.berth.core.policies";
    private static final Pattern MADE_AGAIN =
            Pattern.compile("([0-9]+) decisions of pools on [0-9]+ inputs were made again: all are equal, bit by bit");

    private static final Pattern SCALED_AGAIN =
            Pattern.compile("([0-9]+) scaling decisions were made again: all are equal, bit by bit");

    private static final Pattern ALSO_MADE =
            Pattern.compile("([0-9]+) decisions of pools were also made by matching:spread: ([0-9]+) agree");

    private final ConfigurationAdmin configurations;
    private final PolicyOperations policies;

    SoakJournal(ConfigurationAdmin configurations, PolicyOperations policies) {
        this.configurations = configurations;
        this.policies = policies;
    }

    /** Switches the journal on, as an operator does on a live cluster. */
    void begin() throws IOException {
        Configuration configuration = configurations.getConfiguration(PID, null);
        Dictionary<String, Object> properties = configuration.getProperties();
        properties.put("decisions.journal", "true");
        properties.put("decisions.journal.mib", "4096");
        configuration.update(properties);
    }

    /**
     * Exports what was recorded and makes it again. The export and the jars of the policies stay in the folder.
     *
     * @param least how many decisions of pools there must be
     * @return what the other JVM says
     */
    String end(Path folder, SoakBundles bundles, int least) throws Exception {
        Path export = Files.createDirectories(folder).resolve("decisions.journal");
        try (OutputStream out = Files.newOutputStream(export)) {
            policies.exportDecisions(OptionalLong.empty(), OptionalLong.empty(), out);
        } catch (IllegalStateException nothing) {
            throw new AssertionError(
                    "configured is "
                            + configurations.getConfiguration(PID, null).getProperties(),
                    nothing);
        }
        List<Path> jars = List.of(
                bundles.writeFor(folder, PolicyKind.MATCHING, SoakBundles.SAMPLE),
                bundles.writeFor(folder, PolicyKind.MATCHING, "soak-one"),
                bundles.writeFor(folder, PolicyKind.MATCHING, "soak-two"),
                bundles.writeFor(folder, PolicyKind.DISTRIBUTION, "soak-queue"),
                bundles.writeFor(folder, PolicyKind.DISTRIBUTION, "soak-other"));
        Outcome again = Simulator.decisions(export, jars);
        Matcher made = MADE_AGAIN.matcher(again.text());
        assertTrue("made again: " + again, again.exit() == 0 && made.find());
        assertTrue(least + " decisions: " + again, Integer.parseInt(made.group(1)) >= least);
        Matcher scaled = SCALED_AGAIN.matcher(again.text());
        assertTrue("scaled again: " + again, scaled.find() && Integer.parseInt(scaled.group(1)) > 0);
        assertEquals("none is missing: " + again, -1, again.text().indexOf("were not recorded"));
        Outcome other = Simulator.decisions(export, jars, "--policy", "spread");
        Matcher also = ALSO_MADE.matcher(other.text());
        assertTrue("also made by spread: " + other, other.exit() == 0 && also.find());
        assertTrue("spread differs: " + other, Integer.parseInt(also.group(2)) < Integer.parseInt(also.group(1)));
        return made.group() + "; " + scaled.group() + "; " + also.group() + "; " + Files.size(export) + " bytes in "
                + export;
    }
}
