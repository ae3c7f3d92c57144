package io.berth.ops.cli.security;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.operations.PlainText;
import io.berth.ops.cli.console.Api;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Makes, lists and revokes the tokens by which users prove who they are. */
@Command(
        name = "token",
        mixinStandardHelpOptions = true,
        description = "Makes, lists and revokes the tokens of users.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Users need tokens where etc/io.berth.ops.rest.cfg has authentication = token.",
            "The first one is in data/berth/admin.token of the control plane."
        })
public final class TokenCommand {

    @ParentCommand
    private Console berth;

    @Command(
            name = "create",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a token for a user, and writes it to a file that only you can read.",
                "The control plane keeps no copy, so it cannot be shown again."
            })
    Integer create(
            @Parameters(paramLabel = "NAME", description = "Name of the user, who is the submitter of their jobs")
                    String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description = "Required. viewer, submitter, operator or admin; each may do all that those"
                                    + " before it may")
                    String role,
            @Option(
                            names = "--valid",
                            paramLabel = "DURATION",
                            defaultValue = "90d",
                            description = "How long it is valid: a number with s, m, h or d, from 1m to 3650d."
                                    + " Default: ${DEFAULT-VALUE}")
                    String valid,
            @Option(
                            names = "--output",
                            paramLabel = "FILE",
                            description = "File to make. Default: NAME.token; - prints the token instead")
                    Optional<Path> output) {
        if (!User.isName(name)) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT, "NAME is '" + PlainText.of(name) + "': allowed are " + User.NAME_ALLOWED);
        }
        Path file = output.orElseGet(() -> Path.of(name + ".token"));
        boolean printed = file.toString().equals("-");
        if (UserRole.of(role).isEmpty()) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "--role is '" + role + "': allowed are " + UserRole.allowed());
        }
        if (!printed) {
            make(file);
        }
        boolean well = false;
        try {
            Api api = berth.api();
            JsonNode made = api.post(
                    "tokens",
                    "application/json",
                    api.write(new TreeMap<>(Map.of("name", name, "role", role, "validFor", valid))));
            String token = made.path("token").asText();
            if (printed) {
                berth.terminal().out().println(token);
            } else {
                write(file, token);
                ((ObjectNode) made).remove("token");
                berth.print(
                        api,
                        made,
                        shown -> berth.terminal()
                                .out()
                                .println("wrote token " + shown.path("id").asText() + " of " + name + ", valid until "
                                        + time(shown.path("expiresMillis")) + ", to " + file));
            }
            well = true;
            return ExitCode.DONE;
        } finally {
            if (!well && !printed) {
                remove(file);
            }
        }
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the tokens that were not revoked, the newest first.")
    Integer list() {
        Api api = berth.api();
        berth.print(api, api.get("tokens"), tokens -> {
            Table table = new Table("ID", "NAME", "ROLE", "MADE BY", "MADE", "VALID UNTIL", "STATE");
            long now = berth.terminal().clock().wallMillis();
            tokens.forEach(token -> table.row(
                    token.path("id").asText(),
                    token.path("name").asText(),
                    token.path("role").asText(),
                    token.path("createdBy").asText(),
                    time(token.path("createdMillis")),
                    time(token.path("expiresMillis")),
                    token.path("expiresMillis").asLong() <= now ? "expired" : "valid"));
            table.print(berth.terminal().out());
        });
        return ExitCode.DONE;
    }

    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "Revokes a token, or all tokens of a user, from the next request on.")
    Integer revoke(@Parameters(paramLabel = "ID|NAME", description = "Id of a token, or name of a user") String which) {
        Api api = berth.api();
        berth.print(
                api,
                api.delete("tokens/" + Api.encode(which)),
                answer -> answer.path("revoked")
                        .forEach(token -> berth.terminal()
                                .out()
                                .println("revoked " + token.path("id").asText() + " of "
                                        + token.path("name").asText())));
        return ExitCode.DONE;
    }

    private static Instant time(JsonNode millis) {
        return Instant.ofEpochMilli(millis.asLong());
    }

    /** Before the token is made, so that none is lost. */
    private static void make(Path file) {
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException there) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " exists: name another with --output");
        } catch (IOException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "file " + file + " cannot be made (" + failure + ")");
        }
    }

    private static void write(Path file, String token) {
        try {
            Files.writeString(file, token + "\n");
        } catch (IOException failure) {
            throw new CommandFailure(
                    ExitCode.FAILED,
                    "the token cannot be written to " + file + " (" + failure
                            + "): it was made, so find it with 'berth token list' and revoke it");
        }
    }

    private void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            berth.terminal().progress("file " + file + " has no token and cannot be removed (" + failure + ")");
        }
    }
}
