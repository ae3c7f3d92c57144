package io.berth.simulator.replay;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Places everything on the first worker, whether there is room or not. One class, so that its jar has no others. */
public final class OverbookingStrategy implements MatchingStrategyFactory, MatchingStrategy, PlacementSession {

    static final String NAME = "overbooking";

    private static final String COMPONENT = "OSGI-INF/overbooking.xml";

    /** A bundle with this strategy. */
    static Path bundle(Path folder) throws IOException {
        Manifest manifest = new Manifest();
        Attributes headers = manifest.getMainAttributes();
        headers.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.putValue("Bundle-SymbolicName", "com.example.overbooking");
        headers.putValue("Provide-Capability", "io.berth.policy;kind=matching;name=" + NAME);
        headers.putValue("Service-Component", COMPONENT);
        String component = """
                <component><service><provide interface="%s"/></service><implementation class="%s"/></component>
                """.formatted(MatchingStrategyFactory.class.getName(), OverbookingStrategy.class.getName());
        String type = OverbookingStrategy.class.getName().replace('.', '/') + ".class";
        Path jar = folder.resolve("overbooking.jar");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream from = OverbookingStrategy.class.getClassLoader().getResourceAsStream(type)) {
            to.putNextEntry(new JarEntry(COMPONENT));
            to.write(component.getBytes(StandardCharsets.UTF_8));
            to.putNextEntry(new JarEntry(type));
            from.transferTo(to);
        }
        return jar;
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(NAME, "everything on the first worker", List.of());
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return this;
    }

    @Override
    public PlacementSession openPlacement(WorkersView workers) {
        return this;
    }

    @Override
    public void delta(int[] changed) {
        // It does not look at workers.
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        for (int entry = 0; entry < admitted.size(); entry++) {
            plan.place(entry, 0, admitted.count(entry));
        }
    }

    @Override
    public AssignmentSession openAssignment() {
        throw new IllegalStateException("a replay assigns nothing");
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
