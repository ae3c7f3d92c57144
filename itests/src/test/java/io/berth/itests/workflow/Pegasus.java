package io.berth.itests.workflow;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The workflows of the data that lies beside the repository. */
public final class Pegasus {

    /** System property with the folder of the data. */
    public static final String DATA = "berth.shared.data";

    private static final List<String> NAMES =
            List.of("CyberShake_30", "Epigenomics_24", "Inspiral_30", "Montage_25", "Montage_100", "Sipht_30");

    private Pegasus() {}

    /** All six. Fails when one is missing. */
    public static List<Workflow> workflows() throws IOException {
        Path folder = Path.of(System.getProperty(DATA), "jobgraphs", "pegasus-dax");
        List<Workflow> workflows = new ArrayList<>();
        for (String name : NAMES) {
            workflows.add(Workflow.read(folder.resolve(name + ".xml")));
        }
        return workflows;
    }
}
