package io.berth.ha.file;

import io.berth.spi.ha.MetadataStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Optional;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the {@link MetadataStore} in files once its directory is open, never before. A change of the configuration
 * closes and reopens it.
 */
@Component(service = {}, immediate = true, configurationPid = "io.berth.ha.file")
@Designate(ocd = MetadataInFiles.Configuration.class)
@Capability(namespace = "osgi.service", attribute = "objectClass:List<String>=\"io.berth.spi.ha.MetadataStore\"",
        effective = "active", uses = MetadataStore.class)
public final class MetadataInFiles {

    private static final Logger LOG = LoggerFactory.getLogger(MetadataInFiles.class);

    /** Configuration of the metadata store. */
    @ObjectClassDefinition(name = "Berth metadata store in files")
    public @interface Configuration {
        @AttributeDefinition(description = "Where records are kept, for one process at a time; empty: data/berth/metadata")
        String directory() default "";

        @AttributeDefinition(description = "Largest value of a record, in bytes, 1048576 to 67108864")
        int value_max_bytes() default 1_048_576;

        @AttributeDefinition(description = "Most records, 1 to 1000000")
        int records_max() default 10_000;
    }

    private FileMetadataStore store;
    private ServiceRegistration<MetadataStore> registration;

    @Activate
    void activate(BundleContext context, Configuration configuration) throws IOException {
        Path directory = directory(configuration, context);
        store = FileMetadataStore.open(directory, new FileMetadataStore.Limits(
                configuration.value_max_bytes(), configuration.records_max()));
        registration = context.registerService(MetadataStore.class, store, new Hashtable<>());
        LOG.info("Metadata store {} is open with {} records", directory, store.keys("").size());
    }

    @Deactivate
    void deactivate() throws IOException {
        registration.unregister();
        store.close();
    }

    private static Path directory(Configuration configuration, BundleContext context) {
        if (!configuration.directory().isBlank()) {
            return Path.of(configuration.directory().trim());
        }
        return Optional.ofNullable(context.getProperty("karaf.data"))
                .map(data -> Path.of(data, "berth", "metadata"))
                .orElseGet(() -> context.getDataFile("metadata").toPath());
    }
}
