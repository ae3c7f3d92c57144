package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Hashtable;
import java.util.Optional;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the {@link LeaderElection} in files once its folder exists. Another folder takes effect at the next start
 * of the process. A change while it runs would end the terms of all roles here and could split the cluster in two.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = LeaderElectionInFiles.PID)
@Designate(ocd = LeaderElectionInFiles.Configuration.class)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"io.berth.spi.ha.LeaderElection\"",
        effective = "active",
        uses = LeaderElection.class)
public final class LeaderElectionInFiles {

    static final String PID = "io.berth.ha.file.election";

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElectionInFiles.class);

    /** Configuration of the election. */
    @ObjectClassDefinition(name = "Berth leader election in files")
    public @interface Configuration {
        @AttributeDefinition(
                description = "Folder that all processes of a cluster share, on one host; empty: "
                        + "data/berth/election. At start only")
        String directory() default "";

        @AttributeDefinition(description = "How often standbys, leaders and followers check, in ms, 1 to 60000")
        long poll_ms() default 200;

        @AttributeDefinition(
                description = "How long a leader may show no sign of life before a standby takes over, in "
                        + "ms, 100 to 600000, at least five times poll.ms")
        long lease_ms() default 10_000;
    }

    private Path directory;
    private FileLeaderElection election;
    private ServiceRegistration<LeaderElection> registration;

    @Activate
    void activate(BundleContext context, Configuration configuration) throws IOException {
        directory = directory(configuration, context);
        election = FileLeaderElection.open(
                directory, InstantSource.system(), configuration.poll_ms(), configuration.lease_ms());
        registration = context.registerService(LeaderElection.class, election, new Hashtable<>());
        LOG.info("Leaders are elected in {}", directory);
    }

    @Modified
    void modified(BundleContext context, Configuration configuration) {
        try {
            election.times(configuration.poll_ms(), configuration.lease_ms());
        } catch (IllegalArgumentException refused) {
            LOG.error("{}: {}; the previous configuration stays in effect", PID, refused.getMessage());
        }
        if (!directory(configuration, context).equals(directory)) {
            LOG.warn(
                    "{}: another directory takes effect at the next start of this process; leaders are elected in {}"
                            + " until then",
                    PID,
                    directory);
        }
    }

    @Deactivate
    void deactivate() {
        registration.unregister();
        election.close();
    }

    private static Path directory(Configuration configuration, BundleContext context) {
        if (!configuration.directory().isBlank()) {
            return Path.of(configuration.directory().trim());
        }
        return Optional.ofNullable(context.getProperty("karaf.data"))
                .map(data -> Path.of(data, "berth", "election"))
                .orElseGet(() -> context.getDataFile("election").toPath());
    }
}
