package io.berth.simulator.policies;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.osgi.framework.Version;

/**
 * The versions of the extension points that the tool runs with. They are annotations of the packages that a class loader
 * does not show, so this reads them from the class files.
 */
final class PackageVersions {

    private static final String ANNOTATION = "Lorg/osgi/annotation/versioning/Version;";
    private static final int CLASS_FILE = 0xCAFEBABE;

    private PackageVersions() {}

    /** The version of a package; empty when it is not there or has none. */
    static Optional<Version> of(String name) {
        String file = "/" + name.replace('.', '/') + "/package-info.class";
        try (InputStream in = PackageVersions.class.getResourceAsStream(file)) {
            return in == null ? Optional.empty() : read(new DataInputStream(in));
        } catch (IOException damaged) {
            throw new IllegalStateException("class file " + file + " cannot be read", damaged);
        }
    }

    private static Optional<Version> read(DataInputStream in) throws IOException {
        if (in.readInt() != CLASS_FILE) {
            throw new IOException("no class file");
        }
        in.skipNBytes(4);
        String[] texts = texts(in);
        // Access, name and super class; a package has no interfaces, fields and methods.
        in.skipNBytes(6 + 2 + 2 + 2);
        for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
            String attribute = texts[in.readUnsignedShort()];
            int length = in.readInt();
            if (!"RuntimeInvisibleAnnotations".equals(attribute)) {
                in.skipNBytes(length);
                continue;
            }
            for (int annotations = in.readUnsignedShort(); annotations > 0; annotations--) {
                Optional<String> value = annotation(in, texts);
                if (value.isPresent()) {
                    return value.map(Version::parseVersion);
                }
            }
        }
        return Optional.empty();
    }

    /** The texts of the constant pool, by index. */
    private static String[] texts(DataInputStream in) throws IOException {
        String[] texts = new String[in.readUnsignedShort()];
        for (int index = 1; index < texts.length; index++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[index] = in.readUTF();
                case 5, 6 -> {
                    in.skipNBytes(8);
                    index++;
                }
                case 7, 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                default -> in.skipNBytes(4);
            }
        }
        return texts;
    }

    /** Reads one annotation; its value if it is the version. */
    private static Optional<String> annotation(DataInputStream in, String[] texts) throws IOException {
        boolean version = ANNOTATION.equals(texts[in.readUnsignedShort()]);
        Optional<String> found = Optional.empty();
        for (int values = in.readUnsignedShort(); values > 0; values--) {
            in.skipNBytes(2);
            Optional<String> value = value(in, texts);
            found = version ? value : found;
        }
        return found;
    }

    private static Optional<String> value(DataInputStream in, String[] texts) throws IOException {
        int tag = in.readUnsignedByte();
        switch (tag) {
            case 's' -> {
                return Optional.of(texts[in.readUnsignedShort()]);
            }
            case 'e' -> in.skipNBytes(4);
            case '@' -> annotation(in, texts);
            case '[' -> {
                for (int elements = in.readUnsignedShort(); elements > 0; elements--) {
                    value(in, texts);
                }
            }
            default -> in.skipNBytes(2);
        }
        return Optional.empty();
    }
}
