package io.berth.core.policies.framework;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleRevision;

/** Finds out from the classes of a bundle why it registers no policy. Reads its content without running it. */
final class ClassFiles {

    private static final int MAGIC = 0xCAFEBABE;
    /** Java 1 had class files of version 45. */
    private static final int BEFORE_JAVA_1 = 44;

    private static final String SPI = "io.berth.spi";

    private ClassFiles() {}

    /** For people; empty when its classes can be loaded here. */
    static String tooNew(Bundle bundle) {
        int newest = 0;
        for (URL file : classes(bundle)) {
            newest = Math.max(newest, javaOf(file));
        }
        int here = Runtime.version().feature();
        return newest > here
                ? "; but it has classes for Java " + newest + " and this process runs on Java " + here
                        + ": build it for Java " + here
                : "";
    }

    private static Iterable<URL> classes(Bundle bundle) {
        Enumeration<URL> found = bundle.findEntries("/", "*.class", true);
        return found == null ? Collections.emptyList() : Collections.list(found);
    }

    private static int javaOf(URL file) {
        try (DataInputStream in = new DataInputStream(file.openStream())) {
            if (in.readInt() != MAGIC) {
                return 0;
            }
            in.readUnsignedShort();
            return in.readUnsignedShort() - BEFORE_JAVA_1;
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /**
     * For people: whether the bundle contains the extension points, so that its services are of other classes than the
     * host's.
     */
    static String unshared(Bundle bundle) {
        BundleRevision revision = bundle.adapt(BundleRevision.class);
        Enumeration<URL> own = revision == null ? null : bundle.findEntries("/io/berth/spi", "*.class", true);
        return own == null || SPI.equals(bundle.getSymbolicName())
                ? ""
                : " that this host can use, for it carries classes of " + SPI + " itself: leave them out and import the"
                        + " packages; else";
    }
}
