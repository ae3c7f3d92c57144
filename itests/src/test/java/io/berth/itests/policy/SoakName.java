package io.berth.itests.policy;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The name of the policy of a jar, which stands in the jar: for a framework and for tools without one. */
final class SoakName {

    private SoakName() {}

    static String read() {
        try (InputStream in = SoakName.class.getResourceAsStream("/storm.name")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
