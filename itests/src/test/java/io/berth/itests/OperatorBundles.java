package io.berth.itests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Files of bundles that tests need: with user code, or with a faulty matching strategy. */
final class OperatorBundles {

    private OperatorBundles() {}

    /** Starts, registers {@code failing}, and fails at each decision. */
    static Path failing(Path folder) throws IOException {
        Manifest manifest = manifest("failing");
        manifest.getMainAttributes().putValue("Bundle-Activator", "io.berth.itests.policy.FailingActivator");
        manifest.getMainAttributes()
                .putValue("Import-Package", "org.osgi.framework,io.berth.spi,io.berth.spi.matching");
        return write(
                folder,
                "failing",
                manifest,
                List.of(
                        "io/berth/itests/policy/FailingActivator.class",
                        "io/berth/itests/policy/FailingMatching.class"));
    }

    /** User code with the operator {@code fails-once}. */
    static Path failsOnce(Path folder) throws IOException {
        Manifest manifest = manifest("fails-once");
        manifest.getMainAttributes().putValue("Bundle-Activator", "io.berth.itests.operators.FailsOnceActivator");
        manifest.getMainAttributes()
                .putValue("Import-Package", "org.osgi.framework,io.berth.dataflow.api;version=\"[1.4,2)\"");
        manifest.getMainAttributes().putValue("Provide-Capability", "io.berth.operator;name=fails-once");
        return write(
                folder,
                "fails-once",
                manifest,
                List.of(
                        "io/berth/itests/operators/FailsOnceActivator.class",
                        "io/berth/itests/operators/FailsOnce.class",
                        "io/berth/itests/operators/FailsOnce$Passing.class"));
    }

    /** User code with the operators of workflows. */
    static Path workflow(Path folder) throws IOException {
        Manifest manifest = manifest("workflow");
        manifest.getMainAttributes().putValue("Bundle-Activator", "io.berth.itests.operators.WorkflowActivator");
        manifest.getMainAttributes()
                .putValue("Import-Package", "org.osgi.framework,io.berth.dataflow.api;version=\"[1.4,2)\"");
        manifest.getMainAttributes()
                .putValue(
                        "Provide-Capability",
                        "io.berth.operator;name=workflow-begin,io.berth.operator;name=workflow-step,"
                                + "io.berth.operator;name=workflow-end");
        return write(
                folder,
                "workflow",
                manifest,
                Stream.of("Activator", "Task", "Begin", "Begin$Beginning", "Step", "Step$Step", "End", "End$End")
                        .map(name -> "io/berth/itests/operators/Workflow" + name + ".class")
                        .toList());
    }

    /** Only declares what it offers; needs a package unless {@code needed} is empty. */
    static Path offering(Path folder, String name, String needed) throws IOException {
        Manifest manifest = manifest(name);
        if (!needed.isEmpty()) {
            manifest.getMainAttributes().putValue("Import-Package", needed);
        }
        return write(folder, name, manifest, List.of());
    }

    private static Manifest manifest(String name) {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue("Bundle-ManifestVersion", "2");
        main.putValue("Bundle-SymbolicName", "operators." + name);
        main.putValue("Bundle-Version", "1.0.0");
        main.putValue("Provide-Capability", "io.berth.policy;kind=matching;name=" + name);
        return manifest;
    }

    private static Path write(Path folder, String name, Manifest manifest, List<String> classes) throws IOException {
        Path file = folder.resolve(name + ".jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            for (String path : classes) {
                jar.putNextEntry(new JarEntry(path));
                try (InputStream in = OperatorBundles.class.getResourceAsStream("/" + path)) {
                    in.transferTo(jar);
                }
            }
        }
        return file;
    }
}
