package io.berth.ops.cli.job;

import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Uploads bundles to a control plane that does not have them. */
public final class Uploads {

    private final Api api;
    private final Terminal terminal;

    public Uploads(Api api, Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /** Hash of the bundle. The bundle is stored when this returns. */
    public String store(Path file) {
        String sha256 = hash(file);
        if (api.find("bundles/" + sha256).isEmpty()) {
            terminal.progress("uploading " + file.getFileName() + " (" + sha256.substring(0, 12) + ")");
            api.upload("bundles/" + sha256, file);
        }
        return sha256;
    }

    public static String hash(Path file) {
        try (InputStream content = Files.newInputStream(file)) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] buffer = new byte[65_536];
            for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (IOException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "bundle " + file + " cannot be read: build it first");
        } catch (NoSuchAlgorithmException failure) {
            throw new IllegalStateException("each JVM has SHA-256", failure);
        }
    }
}
