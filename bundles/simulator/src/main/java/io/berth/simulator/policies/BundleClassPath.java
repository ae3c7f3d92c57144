package io.berth.simulator.policies;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * Where a bundle has its classes: in itself, or where its header Bundle-ClassPath says, in folders and embedded jars.
 * Those are copied to temporary files, which live as long as the tool.
 *
 * @param urls in the order in which classes are looked for
 * @param packages that are there
 */
record BundleClassPath(List<URL> urls, SortedSet<String> packages) {

    private static final String ITSELF = ".";

    BundleClassPath {
        urls = List.copyOf(urls);
        packages = Collections.unmodifiableSortedSet(new TreeSet<>(packages));
    }

    /**
     * Reads a bundle.
     *
     * @param header Bundle-ClassPath. As in a framework, what it names and the bundle does not have is left out
     */
    static BundleClassPath of(Path jar, JarFile file, Optional<String> header) throws IOException {
        List<URL> urls = new ArrayList<>();
        SortedSet<String> packages = new TreeSet<>();
        for (String clause : header.orElse(ITSELF).split(",")) {
            String name = clause.split(";")[0].strip();
            name = name.startsWith("/") ? name.substring(1) : name;
            name = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
            ZipEntry entry = file.getEntry(name);
            if (name.isEmpty() || name.equals(ITSELF)) {
                urls.add(jar.toUri().toURL());
                addPackages(file, "", packages);
            } else if (entry != null && !entry.isDirectory()) {
                Path copy = copy(file, entry);
                urls.add(copy.toUri().toURL());
                try (JarFile embedded = new JarFile(copy.toFile())) {
                    addPackages(embedded, "", packages);
                }
            } else {
                urls.add(folder(jar, name));
                addPackages(file, name + "/", packages);
            }
        }
        return new BundleClassPath(urls, packages);
    }

    private static Path copy(JarFile file, ZipEntry entry) throws IOException {
        Path copy = Files.createTempFile("berth-embedded-", ".jar");
        copy.toFile().deleteOnExit();
        try (InputStream in = file.getInputStream(entry)) {
            Files.copy(in, copy, StandardCopyOption.REPLACE_EXISTING);
        }
        return copy;
    }

    private static URL folder(Path jar, String name) throws IOException {
        try {
            String encoded = new URI(null, null, "/" + name + "/", null).getRawPath();
            return URI.create("jar:" + jar.toUri() + "!" + encoded).toURL();
        } catch (URISyntaxException impossible) {
            throw new IOException("folder " + name + " of a bundle has no address", impossible);
        }
    }

    /** The packages of files below a folder. */
    private static void addPackages(JarFile file, String folder, SortedSet<String> packages) {
        file.stream().filter(entry -> !entry.isDirectory()).forEach(entry -> {
            String name = entry.getName();
            if (name.startsWith(folder) && name.lastIndexOf('/') > folder.length()) {
                packages.add(
                        name.substring(folder.length(), name.lastIndexOf('/')).replace('/', '.'));
            }
        });
    }
}
