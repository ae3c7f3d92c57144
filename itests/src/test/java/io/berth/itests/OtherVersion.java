package io.berth.itests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The same bundle with another version, as an update that its users install. */
final class OtherVersion {

    private OtherVersion() {}

    /**
     * Writes it to a file.
     *
     * @param home of a Karaf whose repository has the bundle
     * @param artifact that contains it
     */
    static Path of(Path home, String artifact, String version) throws IOException {
        Path folder = home.resolve("system/io/berth").resolve(artifact);
        Path original;
        try (Stream<Path> files = Files.walk(folder)) {
            original = files.filter(file -> file.toString().endsWith(".jar"))
                    .findFirst()
                    .orElseThrow();
        }
        Path file = home.resolve("data").resolve(artifact + "-" + version + ".jar");
        try (JarFile jar = new JarFile(original.toFile())) {
            Manifest manifest = new Manifest(jar.getManifest());
            manifest.getMainAttributes().putValue("Bundle-Version", version);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
                for (JarEntry entry : Collections.list(jar.entries())) {
                    if (!entry.getName().equals(JarFile.MANIFEST_NAME)) {
                        out.putNextEntry(new JarEntry(entry.getName()));
                        try (InputStream in = jar.getInputStream(entry)) {
                            in.transferTo(out);
                        }
                    }
                }
            }
        }
        return file;
    }
}
