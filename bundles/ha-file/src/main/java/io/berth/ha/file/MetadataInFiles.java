package io.berth.ha.file;

import io.berth.spi.ha.MetadataStores;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
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
 * Publishes the {@link MetadataStores} in files once their directory exists. A change of the configuration closes what
 * is open and publishes them again. An update with the same values, such as a rewrite of the file, does not.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = "io.berth.ha.file")
@Designate(ocd = MetadataInFiles.Configuration.class)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=\"io.berth.spi.ha.MetadataStores\"",
        effective = "active",
        uses = MetadataStores.class)
public final class MetadataInFiles {

    private static final Logger LOG = LoggerFactory.getLogger(MetadataInFiles.class);

    /** Configuration of the metadata store. */
    @ObjectClassDefinition(name = "Berth metadata store in files")
    public @interface Configuration {
        @AttributeDefinition(
                description =
                        "Where records are kept; all candidates of a role share it; empty: " + "data/berth/metadata")
        String directory() default "";

        @AttributeDefinition(description = "Largest value of a record, in bytes, 1048576 to 67108864")
        int value_max_bytes() default 1_048_576;

        @AttributeDefinition(description = "Maximum number of records, 1 to 1000000")
        int records_max() default 10_000;
    }

    private record Settings(Path directory, FileMetadataStore.Limits limits) {}

    private @Nullable FileMetadataStores stores;
    private ServiceRegistration<MetadataStores> registration;
    private Settings settings;

    @Activate
    void activate(BundleContext context, Configuration configuration) throws IOException {
        open(context, settings(configuration, context));
    }

    @Modified
    void modified(BundleContext context, Configuration configuration) throws IOException {
        Settings changed = settings(configuration, context);
        if (!changed.equals(settings)) {
            close();
            open(context, changed);
        }
    }

    private void open(BundleContext context, Settings next) throws IOException {
        settings = next;
        stores = FileMetadataStores.in(next.directory(), next.limits());
        registration = context.registerService(MetadataStores.class, stores, new Hashtable<>());
        LOG.info("Metadata is kept in {}", stores);
    }

    private void close() {
        if (stores != null) {
            registration.unregister();
            stores.close();
            stores = null;
        }
    }

    private static Settings settings(Configuration configuration, BundleContext context) {
        return new Settings(
                directory(configuration, context),
                new FileMetadataStore.Limits(configuration.value_max_bytes(), configuration.records_max()));
    }

    @Deactivate
    void deactivate() {
        close();
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
