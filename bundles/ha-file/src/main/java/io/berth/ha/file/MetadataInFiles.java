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
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the {@link MetadataStore} in files once its directory is open, never before. While another process has it,
 * this one waits, as long as it takes: a standby of the roles that need the store comes to be with it. A change of the
 * configuration closes and reopens it; one that says the same again, as when its file is written, does not.
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
        @AttributeDefinition(description = "Where records are kept, for one process at a time, the next one waits; empty: "
                + "data/berth/metadata")
        String directory() default "";

        @AttributeDefinition(description = "Largest value of a record, in bytes, 1048576 to 67108864")
        int value_max_bytes() default 1_048_576;

        @AttributeDefinition(description = "Most records, 1 to 1000000")
        int records_max() default 10_000;
    }

    private static final long POLL_MILLIS = 200;

    private record Settings(Path directory, FileMetadataStore.Limits limits) {}

    private StoreOpening opening;
    private Settings settings;

    @Activate
    void activate(BundleContext context, Configuration configuration) throws IOException {
        open(context, settings(configuration, context));
    }

    @Modified
    void modified(BundleContext context, Configuration configuration) throws IOException {
        Settings changed = settings(configuration, context);
        if (!changed.equals(settings)) {
            opening.close();
            open(context, changed);
        }
    }

    private void open(BundleContext context, Settings next) throws IOException {
        settings = next;
        opening = StoreOpening.begin(
                next.directory(), next.limits(), POLL_MILLIS, store -> publish(context, next.directory(), store));
    }

    private static Settings settings(Configuration configuration, BundleContext context) {
        return new Settings(
                directory(configuration, context),
                new FileMetadataStore.Limits(configuration.value_max_bytes(), configuration.records_max()));
    }

    private static AutoCloseable publish(BundleContext context, Path directory, FileMetadataStore store)
            throws IOException {
        LOG.info("Metadata store {} is open with {} records", directory, store.keys("").size());
        ServiceRegistration<MetadataStore> registration =
                context.registerService(MetadataStore.class, store, new Hashtable<>());
        return registration::unregister;
    }

    @Deactivate
    void deactivate() {
        opening.close();
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
