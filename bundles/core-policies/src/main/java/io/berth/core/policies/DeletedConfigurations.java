package io.berth.core.policies;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Dictionary;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;
import org.osgi.service.cm.ConfigurationListener;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the file of a configuration that was deleted in the shell or over JMX; else the next start would read it
 * again. Karaf does so only where it also writes configurations back to their files, which Berth's Karaf does not: it
 * may lose what is in them. A file that was written since its configuration was read stays. Runs on threads of
 * ConfigurationAdmin.
 */
@Component(service = ConfigurationListener.class)
public final class DeletedConfigurations implements ConfigurationListener {

    private static final Logger LOG = LoggerFactory.getLogger(DeletedConfigurations.class);
    private static final String FILE = "felix.fileinstall.filename";

    private final ConfigurationAdmin configurations;
    private final Map<String, Read> read = new ConcurrentHashMap<>();

    /** The state of a file when its configuration changed last. */
    private record Read(Path file, FileTime modified, long bytes) {

        static Read now(Path file) throws IOException {
            return new Read(file, Files.getLastModifiedTime(file), Files.size(file));
        }
    }

    @Activate
    public DeletedConfigurations(@Reference ConfigurationAdmin configurations) {
        this.configurations = configurations;
        remember("(" + FILE + "=*)");
    }

    @Override
    public void configurationEvent(ConfigurationEvent event) {
        if (event.getType() == ConfigurationEvent.CM_UPDATED) {
            read.remove(event.getPid());
            remember("(&(service.pid=" + event.getPid() + ")(" + FILE + "=*))");
        } else if (event.getType() == ConfigurationEvent.CM_DELETED) {
            Optional.ofNullable(read.remove(event.getPid())).ifPresent(DeletedConfigurations::delete);
        }
    }

    private void remember(String filter) {
        try {
            Configuration[] found = configurations.listConfigurations(filter);
            for (Configuration configuration : found == null ? new Configuration[0] : found) {
                Dictionary<String, Object> properties = configuration.getProperties();
                if (properties != null && properties.get(FILE) instanceof String file) {
                    read.put(configuration.getPid(), Read.now(Path.of(URI.create(file))));
                }
            }
        } catch (IOException | InvalidSyntaxException | RuntimeException failure) {
            // The file is gone already, or it is none of ours.
            LOG.debug("the file of configurations {} is not known", filter, failure);
        }
    }

    private static void delete(Read before) {
        Path file = before.file();
        try {
            if (!Files.exists(file)) {
                return;
            }
            if (Read.now(file).equals(before)) {
                Files.delete(file);
                LOG.info("{} is deleted, as its configuration was", file);
            } else {
                LOG.warn("{} stays: it was written after its configuration was read, which is deleted", file);
            }
        } catch (IOException failure) {
            LOG.warn("{} stays, and the next start reads it again: {}", file, failure.toString());
        }
    }
}
