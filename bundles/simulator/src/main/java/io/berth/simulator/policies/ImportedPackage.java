package io.berth.simulator.policies;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.osgi.framework.VersionRange;

/**
 * A package that a bundle imports.
 *
 * @param versions empty: every version
 * @param optional whether the bundle can do without it
 */
record ImportedPackage(String name, Optional<VersionRange> versions, boolean optional) {

    private static final String VERSION = "version=";
    private static final String OPTIONAL = "resolution:=optional";

    /**
     * Reads a header Import-Package.
     *
     * @throws IllegalArgumentException when a version is no range of versions
     */
    static List<ImportedPackage> of(String header) {
        List<ImportedPackage> imports = new ArrayList<>();
        for (String clause : parts(header, ',')) {
            List<String> names = new ArrayList<>();
            Optional<VersionRange> versions = Optional.empty();
            boolean optional = false;
            for (String quoted : parts(clause, ';')) {
                String part = quoted.replace("\"", "");
                if (!part.contains("=")) {
                    names.add(part);
                } else if (part.startsWith(VERSION)) {
                    versions = Optional.of(VersionRange.valueOf(part.substring(VERSION.length())));
                } else if (part.equals(OPTIONAL)) {
                    optional = true;
                }
            }
            for (String name : names) {
                imports.add(new ImportedPackage(name, versions, optional));
            }
        }
        return imports;
    }

    /** The parts between separators that are not in quotes, without empty ones. */
    private static List<String> parts(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int from = 0;
        boolean quoted = false;
        for (int at = 0; at <= text.length(); at++) {
            if (at == text.length() || text.charAt(at) == separator && !quoted) {
                parts.add(text.substring(from, at).strip());
                from = at + 1;
            } else if (text.charAt(at) == '"') {
                quoted = !quoted;
            }
        }
        parts.removeIf(String::isEmpty);
        return parts;
    }
}
