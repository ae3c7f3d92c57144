package io.berth.core.policies.framework;

import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.registry.PolicyRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/**
 * Further backends of one factory: each factory configuration {@code BUNDLE~NAME} is a backend of its own that is named
 * NAME and has that configuration. It is registered beside the backend of the factory itself, and follows the service
 * and the configurations. Names that collide are registered with the obstacle, so that operators see them. Thread-safe.
 */
public final class BackendInstances {

    private static final char NAMED = '~';
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    /** Above the ids of services. */
    private static final long FIRST_ID = 1L << 48;

    private final PolicyRegistry registry;
    private final Function<String, SortedSet<String>> configured;
    /** The factories themselves, by service id. */
    private final SortedMap<Long, FrameworkRegistration> factories = new TreeMap<>();

    private final SortedMap<String, FrameworkRegistration> instances = new TreeMap<>();
    private long nextId = FIRST_ID;

    /** @param configured returns the PIDs of the factory configurations of a bundle */
    BackendInstances(PolicyRegistry registry, Function<String, SortedSet<String>> configured) {
        this.registry = registry;
        this.configured = configured;
    }

    public BackendInstances(PolicyRegistry registry, ConfigurationAdmin admin) {
        this(registry, bundle -> pids(admin, bundle));
    }

    private static SortedSet<String> pids(ConfigurationAdmin admin, String bundle) {
        SortedSet<String> pids = new TreeSet<>();
        try {
            Configuration[] found = admin.listConfigurations("(service.factoryPid=" + bundle + ")");
            for (Configuration one : found == null ? new Configuration[0] : found) {
                pids.add(one.getPid());
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        } catch (InvalidSyntaxException impossible) {
            throw new IllegalStateException("'" + bundle + "' is no PID", impossible);
        }
        return pids;
    }

    /** A factory of backends was registered. */
    public synchronized void added(FrameworkRegistration factory) {
        factories.put(factory.id(), factory);
        follow();
    }

    /** Its ranking or properties changed. */
    public synchronized void updated(long id) {
        instances.values().stream()
                .filter(instance -> instance.factoryId() == id)
                .forEach(instance -> registry.updated(instance.id()));
    }

    public synchronized void removed(long id) {
        if (factories.remove(id) != null) {
            follow();
        }
    }

    /** A factory configuration was added, changed or removed. */
    public synchronized void configurationChanged(String factoryPid) {
        if (factories.values().stream().anyMatch(factory -> factory.bundle().equals(factoryPid))) {
            follow();
        }
    }

    private void follow() {
        SortedMap<String, FrameworkRegistration> wanted = new TreeMap<>();
        SortedMap<String, String> names = new TreeMap<>();
        factories.values().forEach(factory -> names.put(factory.name(), "bundle " + factory.bundle()));
        SortedSet<String> bundles = new TreeSet<>();
        factories.values().forEach(factory -> bundles.add(factory.bundle()));
        for (String bundle : bundles) {
            List<FrameworkRegistration> offered = factories.values().stream()
                    .filter(factory -> factory.bundle().equals(bundle))
                    .toList();
            for (String pid : configured.apply(bundle)) {
                String name = pid.substring(pid.indexOf(NAMED) + 1);
                Optional<String> obstacle = obstacle(pid, name, offered, names);
                names.putIfAbsent(name, "configuration " + pid);
                // The first of several versions that are there at once; another one follows when it is removed.
                wanted.put(pid, offered.get(0).instance(nextId++, pid, name, obstacle.orElse("")));
            }
        }
        for (FrameworkRegistration old : List.copyOf(instances.values())) {
            FrameworkRegistration now = wanted.get(old.pid());
            if (now == null
                    || now.factoryId() != old.factoryId()
                    || !now.obstacle().equals(old.obstacle())) {
                instances.remove(old.pid());
                registry.remove(old.id());
            }
        }
        wanted.forEach((pid, instance) -> {
            if (!instances.containsKey(pid)) {
                instances.put(pid, instance);
                registry.add(instance);
            }
        });
    }

    private static Optional<String> obstacle(
            String pid, String name, List<FrameworkRegistration> offered, SortedMap<String, String> names) {
        if (pid.indexOf(NAMED) < 0 || !NAME.matcher(name).matches()) {
            return Optional.of(
                    "configuration " + pid + " names no backend: the name of its file is BUNDLE-NAME.cfg, with"
                            + " 1 to 64 letters, digits, dots, underscores and hyphens as NAME");
        }
        List<String> several = new ArrayList<>(
                offered.stream().map(Registration::name).distinct().toList());
        if (several.size() > 1) {
            return Optional.of("configuration " + pid + " could be one of backend "
                    + String.join(" or of backend ", several) + ": a bundle with several backends has no further ones");
        }
        return names.entrySet().stream()
                .filter(other -> collide(name, other.getKey()))
                .findFirst()
                .map(other ->
                        "backend " + name + " of configuration " + pid + " collides with backend " + other.getKey()
                                + " of " + other.getValue()
                                + (name.equals(other.getKey())
                                        ? ": each backend has a name of its own"
                                        : ": ids of workers begin with the name of their backend and a hyphen, so that no name may"
                                                + " be such a beginning of another one"));
    }

    private static boolean collide(String name, String other) {
        return name.equals(other) || name.startsWith(other + "-") || other.startsWith(name + "-");
    }
}
