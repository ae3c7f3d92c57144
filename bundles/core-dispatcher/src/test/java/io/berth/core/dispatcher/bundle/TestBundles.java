package io.berth.core.dispatcher.bundle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Bundles that are built in memory. */
public final class TestBundles {

    private TestBundles() {}

    /** The files of bundles as a process uses them. */
    public static BundleFiles files(Path directory) throws IOException {
        return new BundleDirectory(directory);
    }

    public static byte[] bundle(String symbolicName, String... operators) throws IOException {
        StringBuilder manifest = new StringBuilder("Manifest-Version: 1.0\r\n");
        if (!symbolicName.isEmpty()) {
            manifest.append("Bundle-SymbolicName: ").append(symbolicName).append(";singleton:=true\r\n");
        }
        manifest.append("Bundle-Version: 1.2.0\r\n");
        if (operators.length > 0) {
            manifest.append("Provide-Capability: osgi.service;objectClass:List<String>=\"a,b\"");
            for (String operator : operators) {
                manifest.append("\r\n ,io.berth.operator;name=\"")
                        .append(operator)
                        .append('"');
            }
            manifest.append("\r\n");
        }
        return jar("META-INF/MANIFEST.MF", manifest.append("\r\n").toString());
    }

    static byte[] jar(String entry, String content) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry(entry));
            zip.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    public static String hash(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
