package io.berth.ops.cli.security;

import io.berth.core.api.rpc.PeerRole;
import io.berth.core.security.Peer;
import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Table;
import io.berth.ops.cli.console.Terminal;
import io.berth.security.authority.AuthorityException;
import io.berth.security.authority.CertificateAuthority;
import io.berth.security.authority.CertificateAuthority.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Makes the certificates by which the processes of a cluster know each other. Everything happens in a folder. */
@Command(
        name = "security",
        mixinStandardHelpOptions = true,
        description = "Makes, lists and revokes the certificates of the processes of a cluster.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "DIR holds the key of the cluster's authority: whoever can read it can be any process",
            "of the cluster. Keep it where only operators come; processes need only their own folder."
        })
public final class SecurityCommand {

    private static final String AUTHORITY = "authority";
    private static final String PROCESSES = "processes";
    private static final String CONTROL_PLANE = "control-plane";
    private static final String DAYS = "Days that a certificate is valid, 1 to 3650. Default: ${DEFAULT-VALUE}";
    private static final String DIR = "Folder that 'berth security init' made";

    @ParentCommand
    private Console berth;

    @Command(
            name = "init",
            mixinStandardHelpOptions = true,
            description = {
                "Makes an authority for a cluster, and the certificate of its control plane.",
                "The folder is made; one that has something in it is refused."
            })
    Integer init(
            @Parameters(paramLabel = "DIR", description = "Folder to make") Path folder,
            @Option(
                            names = "--cluster",
                            paramLabel = "NAME",
                            defaultValue = "berth",
                            description = "Name of the cluster: small letters, digits and hyphens."
                                    + " Default: ${DEFAULT-VALUE}")
                    String cluster,
            @Option(names = "--days", paramLabel = "N", defaultValue = "365", description = DAYS) int days) {
        Peer controlPlane = peer(cluster, Set.of(PeerRole.CONTROL_PLANE, PeerRole.JOB_MASTER), CONTROL_PLANE);
        Duration valid = valid(days);
        requireEmpty(folder);
        return attempt(() -> {
            CertificateAuthority authority = CertificateAuthority.create(
                    folder.resolve(AUTHORITY), cluster, terminal().clock());
            Path to = folder.resolve(PROCESSES).resolve(CONTROL_PLANE);
            Issued issued = authority.issue(controlPlane, valid, to);
            terminal().out().println("made the authority of cluster " + cluster + " in " + folder.resolve(AUTHORITY));
            wrote(issued, to);
            terminal()
                    .out()
                    .println("next: folder = " + to.toAbsolutePath()
                            + " in etc/io.berth.core.security.cfg of the control plane");
            return ExitCode.DONE;
        });
    }

    @Command(
            name = "issue",
            mixinStandardHelpOptions = true,
            description = {
                "Makes a key and a certificate for a process, and writes its folder. Without --role, it is",
                "for the roles that the process had last, or for a worker.",
                "A folder that is there gets new ones, which its process uses at once, without a restart."
            })
    Integer issue(
            @Parameters(paramLabel = "DIR", description = DIR) Path folder,
            @Parameters(paramLabel = "NAME", description = "Name of the process; for a worker, its id") String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            split = ",",
                            description = "worker, control-plane, job-master, or several with commas between")
                    List<String> roles,
            @Option(names = "--days", paramLabel = "N", defaultValue = "365", description = DAYS) int days,
            @Option(
                            names = "--output",
                            paramLabel = "FOLDER",
                            description = "Where to write. Default: DIR/processes/NAME")
                    Optional<Path> output) {
        return attempt(() -> {
            CertificateAuthority authority = open(folder);
            Peer peer = peer(authority.cluster(), roles == null ? roles(authority, name) : roles(roles), name);
            Path to = output.orElse(folder.resolve(PROCESSES).resolve(name));
            wrote(authority.issue(peer, valid(days), to), to);
            return ExitCode.DONE;
        });
    }

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "Lists the certificates that were issued, in the order of their ends.")
    Integer list(@Parameters(paramLabel = "DIR", description = DIR) Path folder) {
        return attempt(() -> {
            Table table = new Table("SERIAL", "PROCESS", "VALID UNTIL", "STATE");
            long now = terminal().clock().wallMillis();
            for (Issued one : open(folder).issued()) {
                String state = one.revoked() ? "revoked" : one.validUntil().toEpochMilli() < now ? "expired" : "valid";
                table.row(one.serial(), one.peer(), one.validUntil(), state);
            }
            table.print(terminal().out());
            return ExitCode.DONE;
        });
    }

    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = {
                "Revokes all certificates of a process, or one by its serial, for good.",
                "The list of revoked certificates is written to each folder below DIR/processes; copy it to",
                "processes whose folder is elsewhere. A process uses it within two seconds, and ends open",
                "connections of the revoked one."
            })
    Integer revoke(
            @Parameters(paramLabel = "DIR", description = DIR) Path folder,
            @Parameters(paramLabel = "NAME|SERIAL", description = "Name of the process, or serial of a certificate")
                    String which) {
        return attempt(() -> {
            CertificateAuthority authority = open(folder);
            Set<String> serials = authority.issued().stream()
                    .filter(one ->
                            one.serial().equals(which) || one.peer().name().equals(which))
                    .filter(one -> !one.revoked())
                    .map(Issued::serial)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
            if (serials.isEmpty()) {
                throw new CommandFailure(
                        ExitCode.BAD_INPUT,
                        "'" + which + "' has no certificate that is not revoked yet: allowed is a name or a serial of"
                                + " 'berth security list " + folder + "'");
            }
            authority.revoke(serials);
            serials.forEach(serial -> terminal().out().println("revoked " + serial));
            distribute(authority, folder);
            return ExitCode.DONE;
        });
    }

    private void distribute(CertificateAuthority authority, Path folder) throws IOException, AuthorityException {
        Path processes = folder.resolve(PROCESSES);
        if (Files.isDirectory(processes)) {
            try (Stream<Path> folders = Files.list(processes)) {
                for (Path process : folders.filter(Files::isDirectory).sorted().toList()) {
                    authority.distribute(process);
                    terminal().out().println("updated " + process);
                }
            }
        }
        terminal()
                .out()
                .println("processes elsewhere need a copy of "
                        + folder.resolve(AUTHORITY).resolve("revoked.pem").toAbsolutePath());
    }

    private void wrote(Issued issued, Path to) {
        terminal()
                .out()
                .println("wrote the certificate of " + issued.peer() + ", valid until " + issued.validUntil() + ", to "
                        + to);
    }

    private CertificateAuthority open(Path folder) throws AuthorityException {
        return CertificateAuthority.open(folder.resolve(AUTHORITY), terminal().clock());
    }

    private Terminal terminal() {
        return berth.terminal();
    }

    private static Duration valid(int days) {
        if (days < 1 || days > CertificateAuthority.MAX_VALID.toDays()) {
            throw new CommandFailure(
                    ExitCode.BAD_INPUT,
                    "option --days is '" + days + "': allowed is 1 to " + CertificateAuthority.MAX_VALID.toDays());
        }
        return Duration.ofDays(days);
    }

    private static void requireEmpty(Path folder) {
        try {
            if (Files.exists(folder)) {
                try (Stream<Path> there = Files.list(folder)) {
                    if (there.findAny().isPresent()) {
                        throw new CommandFailure(
                                ExitCode.BAD_INPUT,
                                "folder '" + folder + "' is not empty: allowed is one that is, or does not exist");
                    }
                }
            }
        } catch (IOException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, "folder '" + folder + "' cannot be used: " + failure);
        }
    }

    private static Set<PeerRole> roles(List<String> texts) {
        return texts.stream().map(SecurityCommand::role).collect(Collectors.toSet());
    }

    /** Those that the process had last. */
    private static Set<PeerRole> roles(CertificateAuthority authority, String name) throws AuthorityException {
        List<Issued> before = authority.issued().stream()
                .filter(one -> one.peer().name().equals(name))
                .toList();
        return before.isEmpty()
                ? Set.of(PeerRole.WORKER)
                : before.get(before.size() - 1).peer().roles();
    }

    private static PeerRole role(String text) {
        return PeerRole.of(text)
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT, "option --role is '" + text + "': allowed are " + PeerRole.allowed()));
    }

    private static Peer peer(String cluster, Set<PeerRole> roles, String name) {
        try {
            return new Peer(cluster, roles, name);
        } catch (IllegalArgumentException invalid) {
            throw new CommandFailure(ExitCode.BAD_INPUT, String.valueOf(invalid.getMessage()));
        }
    }

    /** What a command does with the authority. */
    @FunctionalInterface
    private interface Work {
        int run() throws IOException, AuthorityException;
    }

    private static int attempt(Work work) {
        try {
            return work.run();
        } catch (AuthorityException failure) {
            throw new CommandFailure(ExitCode.BAD_INPUT, String.valueOf(failure.getMessage()));
        } catch (IOException failure) {
            throw new CommandFailure(ExitCode.FAILED, failure.toString());
        }
    }
}
