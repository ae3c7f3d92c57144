package io.berth.core.dispatcher.bundle;

import io.berth.core.api.job.JobGraph.JobVertex;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The manifest of a bundle, read without running or unpacking the bundle.
 *
 * @param operators from its capabilities {@code io.berth.operator}
 */
record BundleManifest(String symbolicName, String version, List<OfferedOperator> operators) {

    static final String OPERATOR_NAMESPACE = "io.berth.operator";

    private static final int MAX_MANIFEST_BYTES = 1 << 20;
    private static final int MAX_ENTRIES = 65_535;
    private static final long MAX_UNPACKED_BYTES = 1L << 30;

    BundleManifest {
        operators = List.copyOf(operators);
    }

    /**
     * Reads the manifest of a file.
     *
     * @throws IllegalArgumentException when the file is not an OSGi bundle or would unpack to too much; the message
     *     says so
     */
    static BundleManifest read(Path file) throws IOException {
        try (ZipFile zip = new ZipFile(file.toFile())) {
            checkSize(zip);
            ZipEntry entry = zip.getEntry("META-INF/MANIFEST.MF");
            if (entry == null) {
                throw new IllegalArgumentException("is not an OSGi bundle: it has no META-INF/MANIFEST.MF");
            }
            byte[] content;
            try (InputStream in = zip.getInputStream(entry)) {
                content = in.readNBytes(MAX_MANIFEST_BYTES + 1);
            }
            if (content.length > MAX_MANIFEST_BYTES) {
                throw new IllegalArgumentException(
                        "has a manifest of more than " + MAX_MANIFEST_BYTES + " bytes: at most that many are allowed");
            }
            Attributes main = attributes(content);
            String symbolicName = main.getValue("Bundle-SymbolicName");
            if (symbolicName == null || symbolicName.isBlank()) {
                throw new IllegalArgumentException(
                        "is not an OSGi bundle: its manifest has no Bundle-SymbolicName; build it with bnd-maven-plugin");
            }
            String version = Optional.ofNullable(main.getValue("Bundle-Version"))
                    .orElse("0.0.0")
                    .trim();
            return new BundleManifest(
                    symbolicName.split(";", 2)[0].trim(),
                    version,
                    operators(Optional.ofNullable(main.getValue("Provide-Capability"))
                            .orElse("")));
        } catch (java.util.zip.ZipException failure) {
            throw new IllegalArgumentException("is not an OSGi bundle: it is not a jar (" + failure.getMessage() + ")");
        }
    }

    private static Attributes attributes(byte[] content) {
        try {
            return new Manifest(new ByteArrayInputStream(content)).getMainAttributes();
        } catch (IOException malformed) {
            throw new IllegalArgumentException("has a manifest that cannot be read: " + malformed.getMessage());
        }
    }

    private static void checkSize(ZipFile zip) {
        if (zip.size() > MAX_ENTRIES) {
            throw new IllegalArgumentException(
                    "has " + zip.size() + " entries: at most " + MAX_ENTRIES + " are allowed");
        }
        long unpacked = 0;
        for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
            unpacked += Math.max(0, entries.nextElement().getSize());
            if (unpacked > MAX_UNPACKED_BYTES) {
                throw new IllegalArgumentException(
                        "unpacks to more than " + MAX_UNPACKED_BYTES + " bytes: at most that many are allowed");
            }
        }
    }

    /** The operators in a Provide-Capability header. */
    static List<OfferedOperator> operators(String header) {
        List<OfferedOperator> operators = new ArrayList<>();
        for (String clause : split(header, ',')) {
            List<String> parts = split(clause, ';');
            if (parts.get(0).trim().equals(OPERATOR_NAMESPACE)) {
                Map<String, String> attributes = attributes(parts.subList(1, parts.size()));
                Optional.ofNullable(attributes.get("name"))
                        .ifPresent(name -> operators.add(new OfferedOperator(
                                name,
                                Boolean.parseBoolean(attributes.get("keyed")),
                                "2".equals(attributes.get("inputs")) ? 2 : 1,
                                names(attributes.getOrDefault("sideOutputs", "")),
                                attributes.getOrDefault("runtime", JobVertex.DATAFLOW))));
            }
        }
        return operators;
    }

    private static List<String> names(String list) {
        return Stream.of(list.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Attributes of a clause by name, without types and directives. */
    private static Map<String, String> attributes(List<String> parts) {
        Map<String, String> attributes = new TreeMap<>();
        for (String part : parts) {
            int equals = part.indexOf('=');
            if (equals < 1 || part.charAt(equals - 1) == ':') {
                continue;
            }
            String value = part.substring(equals + 1).trim();
            boolean quoted = value.startsWith("\"") && value.endsWith("\"") && value.length() > 1;
            attributes.put(
                    part.substring(0, equals).split(":", 2)[0].trim(),
                    quoted ? value.substring(1, value.length() - 1) : value);
        }
        return attributes;
    }

    /** Splits at each separator outside quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
