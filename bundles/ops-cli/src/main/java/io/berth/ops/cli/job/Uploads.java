package io.berth.ops.cli.job;

import io.berth.client.RestClient;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.UncheckedIOException;
import java.nio.file.Path;

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
        try {
            return RestClient.sha256(file);
        } catch (UncheckedIOException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "bundle " + file + " cannot be read: build it first");
        }
    }
}
