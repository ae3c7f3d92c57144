package io.berth.spi.signatures;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The exported signatures of one package in one version, by key. */
record PackageSignatures(String name, PackageVersion version, SortedMap<String, Signature> signatures) {

    private static final String VERSION = "version ";

    static PackageSignatures of(String name, PackageVersion version, List<Signature> signatures) {
        SortedMap<String, Signature> byKey = new TreeMap<>();
        for (Signature signature : signatures) {
            if (byKey.put(signature.key(), signature) != null) {
                throw new IllegalArgumentException("signature " + signature.key() + " is listed twice");
            }
        }
        return new PackageSignatures(name, version, byKey);
    }

    static PackageSignatures parse(String name, List<String> lines) {
        if (lines.isEmpty() || !lines.get(0).startsWith(VERSION)) {
            throw new IllegalArgumentException("signatures of " + name + ": the first line must be 'version X.Y.Z'");
        }
        List<Signature> signatures = lines.stream()
                .skip(1)
                .filter(line -> !line.isBlank())
                .map(Signature::parse)
                .toList();
        return of(name, PackageVersion.parse(lines.get(0).substring(VERSION.length())), signatures);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(VERSION + version));
        signatures.values().forEach(signature -> lines.add(signature.line()));
        return lines;
    }
}
