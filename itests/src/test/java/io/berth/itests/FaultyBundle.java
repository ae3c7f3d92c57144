package io.berth.itests;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.osgi.framework.FrameworkUtil;

/** A bundle with the classes of {@code io.berth.itests.faulty}, created while the test runs. */
final class FaultyBundle {

    private static final String CLASSES = "io/berth/itests/faulty";

    private final Map<String, String> headers = new TreeMap<>();
    private final Map<String, byte[]> entries = new TreeMap<>();

    private FaultyBundle() {}

    /** A policy that misbehaves in one call of the host and behaves well in all others. */
    static FaultyBundle of(String kind, String name, String deed, String at, int ranking) {
        FaultyBundle bundle = empty("faulty." + kind + "." + name)
                .header("Bundle-Activator", "io.berth.itests.faulty.FaultyActivator")
                .header(
                        "Import-Package",
                        "org.osgi.framework;version=\"[1.8,2)\",io.berth.spi;version=\"[2.0,3)\","
                                + "io.berth.spi.matching;version=\"[2.0,3)\",io.berth.spi.distribution;version=\"[2.0,3)\","
                                + "io.berth.spi.scaling;version=\"[2.0,3)\",io.berth.spi.backend;version=\"[1.0,2)\","
                                + "javax.management,"
                                + "io.berth.core.api.job,io.berth.core.api.operations,io.berth.core.api.gateway")
                .header("Provide-Capability", "io.berth.policy;kind=" + kind + ";name=" + name)
                .header("Faulty-Kind", kind)
                .header("Faulty-Name", name)
                .header("Faulty-Deed", deed)
                .header("Faulty-At", at)
                .header("Faulty-Ranking", Integer.toString(ranking));
        for (URL file :
                Collections.list(FrameworkUtil.getBundle(FaultyBundle.class).findEntries(CLASSES, "*.class", false))) {
            bundle.entry(file.getPath().substring(1), bytes(file));
        }
        return bundle;
    }

    /** A bundle with only a manifest. */
    static FaultyBundle empty(String symbolicName) {
        return new FaultyBundle()
                .header("Bundle-ManifestVersion", "2")
                .header("Bundle-SymbolicName", symbolicName)
                .header("Bundle-Version", "1.0.0");
    }

    private static byte[] bytes(URL file) {
        try (InputStream in = file.openStream()) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FaultyBundle header(String key, String value) {
        headers.put(key, value);
        return this;
    }

    FaultyBundle without(String key) {
        headers.remove(key);
        return this;
    }

    FaultyBundle entry(String path, byte[] content) {
        entries.put(path, content);
        return this;
    }

    byte[] entry(String path) {
        return entries.get(path);
    }

    String header(String key) {
        return headers.get(key);
    }

    InputStream jar() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        headers.forEach((key, value) -> manifest.getMainAttributes().putValue(key, value));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                jar.putNextEntry(new JarEntry(entry.getKey()));
                jar.write(entry.getValue());
                jar.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }
}
