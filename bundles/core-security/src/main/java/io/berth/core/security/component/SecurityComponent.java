package io.berth.core.security.component;

import io.berth.core.api.time.SystemClock;
import io.berth.core.api.time.SystemTimers;
import io.berth.core.security.ClusterSecurity;
import io.berth.core.security.CredentialException;
import io.berth.core.security.CredentialFiles;
import io.berth.core.security.LiveCredentials;
import java.nio.file.Path;
import java.util.Hashtable;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.osgi.annotation.bundle.Capability;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers {@link ClusterSecurity}. The folder with keys and certificates is configured; a worker has it as a framework
 * property. While the files cannot be used, there is no service, so nothing listens and nothing connects. Thread-safe.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = "io.berth.core.security")
@Designate(ocd = SecurityComponent.Settings.class)
@Capability(
        namespace = "osgi.service",
        attribute = "objectClass:List<String>=io.berth.core.security.ClusterSecurity",
        uses = ClusterSecurity.class)
public final class SecurityComponent {

    private static final Logger LOG = LoggerFactory.getLogger(SecurityComponent.class);
    private static final String WORKER_FOLDER = "berth.worker.security";
    private static final long RETRY_MILLIS = 2_000;
    private static final int EXIT_BAD_ARGUMENTS = 2;

    private final BundleContext context;
    private final SystemTimers timers = new SystemTimers("berth-core-security");
    private final Optional<IntConsumer> exit;
    private String folder;
    private @Nullable LiveCredentials credentials;
    private @Nullable ServiceRegistration<ClusterSecurity> registration;
    private boolean closed;

    /** Configuration of the credentials. */
    @ObjectClassDefinition(
            name = "Berth security",
            description = "Certificates by which the processes of a cluster know each other.")
    public @interface Settings {

        @AttributeDefinition(
                name = "folder",
                description = "Folder with key.pem, certificate.pem, ca.pem and, if there are revoked certificates,"
                        + " revoked.pem; empty: connections are not secured, and only this host can connect. Changed"
                        + " files are used at once; another folder at the next start.")
        String folder() default "";
    }

    /** @param exit ends the process of a worker with an exit code; null elsewhere */
    @Activate
    public SecurityComponent(
            BundleContext context,
            Settings settings,
            @Reference(target = "(berth.worker.role=exit)", cardinality = ReferenceCardinality.OPTIONAL) @Nullable
                    IntConsumer exit) {
        this.context = context;
        this.exit = Optional.ofNullable(exit);
        this.folder = Optional.of(settings.folder())
                .filter(configured -> !configured.isBlank())
                .or(() -> Optional.ofNullable(context.getProperty(WORKER_FOLDER)))
                .orElse("");
        begin();
    }

    private void begin() {
        if (folder.isEmpty()) {
            offer(ClusterSecurity.NONE);
        } else {
            attempt(true);
        }
    }

    private void attempt(boolean first) {
        LiveCredentials live;
        synchronized (this) {
            if (closed) {
                return;
            }
            try {
                live = LiveCredentials.open(new CredentialFiles(Path.of(folder)), timers, new SystemClock());
                credentials = live;
            } catch (CredentialException invalid) {
                notValid(invalid, first);
                return;
            }
        }
        offer(ClusterSecurity.by(live));
    }

    private void notValid(CredentialException invalid, boolean first) {
        if (exit.isPresent()) {
            LOG.error("the worker does not start: {}", invalid.getMessage());
            exit.get().accept(EXIT_BAD_ARGUMENTS);
            return;
        }
        if (first) {
            LOG.error(
                    "{}; nothing listens and nothing connects until the files are valid (io.berth.core.security)",
                    invalid.getMessage());
        }
        timers.schedule(RETRY_MILLIS, () -> attempt(false));
    }

    /** Registers the service. Call it without the lock: components that wait for the service are activated in this call. */
    private void offer(ClusterSecurity security) {
        ServiceRegistration<ClusterSecurity> offered =
                context.registerService(ClusterSecurity.class, security, new Hashtable<>());
        synchronized (this) {
            if (!closed) {
                registration = offered;
                return;
            }
        }
        offered.unregister();
    }

    /** From no folder to one at once, because the configuration may come after the bundle; never back. */
    @Modified
    void modified(Settings settings) {
        ServiceRegistration<ClusterSecurity> unsecured;
        synchronized (this) {
            if (settings.folder().equals(folder)) {
                return;
            }
            if (!folder.isEmpty()) {
                LOG.warn(
                        "the configuration of io.berth.core.security: folder '{}' is used from the next start of this"
                                + " process on, until then '{}'",
                        settings.folder(),
                        folder);
                return;
            }
            folder = settings.folder();
            unsecured = registration;
            registration = null;
        }
        if (unsecured != null) {
            unsecured.unregister();
        }
        begin();
    }

    @Deactivate
    void deactivate() {
        ServiceRegistration<ClusterSecurity> offered;
        synchronized (this) {
            closed = true;
            offered = registration;
            if (credentials != null) {
                credentials.close();
            }
        }
        if (offered != null) {
            offered.unregister();
        }
        timers.close();
    }
}
