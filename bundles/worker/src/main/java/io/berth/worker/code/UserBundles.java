package io.berth.worker.code;

import io.berth.core.api.BundleRef;
import io.berth.core.api.gateway.DispatcherGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.wiring.FrameworkWiring;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Job bundles in the embedded framework. A bundle is installed once per content hash and shared by the jobs that name
 * it. When the last of them releases it, it stays for a while, because jobs are submitted again, and code that ran
 * before is compiled. Then it is uninstalled and the framework is refreshed, which frees its class loader. Only a job
 * with exactly the same bundles takes them over: with others they would be wired differently. Two contents with the same
 * symbolic name and version can coexist. The state is confined to the main thread of the TaskExecutor; code that blocks
 * or belongs to a job runs on the bundle executor.
 */
public final class UserBundles implements UserCode {

    /** Prefix of the locations of installed job bundles. */
    static final String LOCATION = "reference:";

    private static final int UNINSTALL_ATTEMPTS = 40;
    private static final long UNINSTALL_PAUSE_MILLIS = 250;

    private static final Logger LOG = LoggerFactory.getLogger(UserBundles.class);

    private final BundleContext context;
    private final BlobCache store;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Executor executor;
    private final long startMillis;
    private final long idleMillis;
    private final JobIsolation isolation;
    private final SortedMap<BundleRef, Installation> installations = new TreeMap<>();
    private final SortedMap<JobId, JobEntry> jobs = new TreeMap<>();
    /** Bundles that no job uses now, as the jobs named them that used them last. */
    private final Map<SortedSet<BundleRef>, Idle> idle = new LinkedHashMap<>();

    private long installed;

    /**
     * @param executor for blocking work: several threads
     * @param startMillis how long fetching, installing and starting may take together
     * @param idleMillis how long bundles stay after the last job that used them
     */
    public UserBundles(
            BundleContext context,
            BlobCache store,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Executor executor,
            long startMillis,
            long idleMillis,
            JobIsolation isolation) {
        this.context = context;
        this.store = store;
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.executor = executor;
        this.startMillis = startMillis;
        this.idleMillis = idleMillis;
        this.isolation = isolation;
    }

    @Override
    public CompletionStage<JobCode> acquire(JobId job, EndpointRef dispatcher, List<BundleRef> bundles) {
        mainThread.assertCurrent();
        JobEntry present = jobs.get(job);
        if (present != null && present.bundles.equals(bundles) && !present.code.isCompletedExceptionally()) {
            return present.code;
        }
        release(job);
        takeOver(new TreeSet<>(bundles));
        DispatcherGateway gateway = rpc.dispatcher(dispatcher);
        List<CompletableFuture<Bundle>> parts = new ArrayList<>();
        for (BundleRef bundle : bundles) {
            Installation installation = installations.computeIfAbsent(bundle, ref -> install(ref, gateway));
            installation.jobs.add(job);
            parts.add(installation.ready.thenApply(ready -> isolation.allow(ready, job)));
        }
        CompletionStage<JobCode> code = mainThread.within(
                startMillis,
                "start of the bundles of job " + job,
                CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                        .thenComposeAsync(
                                done -> start(parts.stream()
                                        .map(CompletableFuture::join)
                                        .toList()),
                                executor));
        JobEntry entry = new JobEntry(bundles, code.toCompletableFuture());
        jobs.put(job, entry);
        return entry.code;
    }

    @Override
    public void release(JobId job) {
        mainThread.assertCurrent();
        JobEntry entry = jobs.remove(job);
        if (entry == null) {
            return;
        }
        CompletableFuture<Boolean> closed = entry.code.handleAsync(
                (code, failure) -> {
                    if (failure == null) {
                        code.close();
                    }
                    return failure == null;
                },
                executor);
        SortedSet<BundleRef> own = new TreeSet<>(entry.bundles);
        SortedSet<BundleRef> unused = new TreeSet<>();
        for (BundleRef ref : own) {
            Installation installation = installations.get(ref);
            if (installation == null) {
                continue;
            }
            installation.jobs.remove(job);
            installation.ready.thenAccept(bundle -> isolation.revoke(bundle, job));
            if (installation.jobs.isEmpty()) {
                unused.add(ref);
            }
        }
        boolean worked = entry.code.isDone() && !entry.code.isCompletedExceptionally();
        if (worked && unused.equals(own)) {
            idle.put(own, new Idle(closed, mainThread.schedule(idleMillis, () -> {
                idle.remove(own);
                uninstall(own, closed);
            })));
        } else {
            uninstall(unused, closed);
        }
    }

    /** Idle bundles that are exactly those of a new job become its own; those that it has a part of are uninstalled. */
    private void takeOver(SortedSet<BundleRef> bundles) {
        for (SortedSet<BundleRef> each : List.copyOf(idle.keySet())) {
            if (Collections.disjoint(each, bundles)) {
                continue;
            }
            Idle found = Objects.requireNonNull(idle.remove(each));
            found.end.cancel();
            if (!each.equals(bundles)) {
                uninstall(each, found.closed);
            }
        }
    }

    private void uninstall(SortedSet<BundleRef> refs, CompletionStage<Boolean> closed) {
        List<CompletableFuture<Optional<Unused>>> ready = new ArrayList<>();
        for (BundleRef ref : refs) {
            Installation installation = installations.remove(ref);
            if (installation != null) {
                ready.add(installation.ready.handle(
                        (bundle, failure) -> Optional.ofNullable(bundle).map(there -> new Unused(ref, there))));
            }
        }
        CompletableFuture.allOf(ready.toArray(CompletableFuture[]::new))
                .thenAcceptBothAsync(
                        closed,
                        (all, done) -> uninstall(
                                ready.stream()
                                        .map(CompletableFuture::join)
                                        .flatMap(Optional::stream)
                                        .toList(),
                                1),
                        executor);
    }

    private Installation install(BundleRef ref, DispatcherGateway dispatcher) {
        long number = ++installed;
        CompletableFuture<Bundle> ready = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        Path file = store.fetch(ref, number, dispatcher);
                        Bundle bundle = context.installBundle(LOCATION + file.toUri());
                        LOG.info("bundle {}: installed as {}", ref, bundle);
                        return bundle;
                    } catch (IOException failure) {
                        throw new CompletionException(failure);
                    } catch (BundleException failure) {
                        throw new CompletionException(new IOException(
                                "bundle " + ref.sha256() + " cannot be installed: " + failure.getMessage(), failure));
                    }
                },
                executor);
        Installation installation = new Installation(ready);
        mainThread.whenComplete(ready, (bundle, failure) -> {
            if (failure != null) {
                // The next deployment downloads it again.
                installations.remove(ref, installation);
            }
        });
        return installation;
    }

    private CompletionStage<JobCode> start(List<Bundle> bundles) {
        for (Bundle bundle : bundles) {
            if (bundle.getHeaders("").get("Fragment-Host") != null) {
                continue;
            }
            try {
                bundle.start();
            } catch (BundleException failure) {
                throw new CompletionException(new IOException(Resolution.explain(bundle, failure), failure));
            }
        }
        return AnnouncedOperators.of(bundles, context, timers).thenApply(there -> new InstalledCode(context, bundles));
    }

    /**
     * Uninstalls bundles, and refreshes once for all. A framework that refreshes others at that moment refuses, so it is tried
     * again.
     */
    private void uninstall(List<Unused> bundles, int attempt) {
        List<Unused> gone = new ArrayList<>();
        List<Unused> left = new ArrayList<>();
        for (Unused bundle : bundles) {
            Optional<String> refused = uninstall(bundle.bundle);
            if (refused.isEmpty()) {
                gone.add(bundle);
            } else if (attempt < UNINSTALL_ATTEMPTS) {
                left.add(bundle);
            } else {
                LOG.warn("bundle {}: {} is not uninstalled: {}", bundle.ref, bundle.bundle, refused.get());
            }
        }
        if (!left.isEmpty()) {
            timers.schedule(UNINSTALL_PAUSE_MILLIS, () -> executor.execute(() -> uninstall(left, attempt + 1)));
        }
        if (!gone.isEmpty()) {
            refresh(gone);
        }
    }

    private void refresh(List<Unused> gone) {
        context.getBundle(0)
                .adapt(FrameworkWiring.class)
                .refreshBundles(gone.stream().map(Unused::bundle).toList(), event -> {
                    if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                        gone.forEach(bundle -> {
                            delete(file(bundle.bundle));
                            LOG.info("bundle {}: uninstalled {}", bundle.ref, bundle.bundle);
                        });
                    }
                });
    }

    /** Why a bundle is still installed; empty when it is not. */
    private Optional<String> uninstall(Bundle bundle) {
        try {
            bundle.uninstall();
        } catch (BundleException | IllegalStateException failure) {
            if (bundle.getState() != Bundle.UNINSTALLED) {
                return Optional.of(String.valueOf(failure.getMessage()));
            }
        }
        isolation.forget(bundle);
        return Optional.empty();
    }

    private static Path file(Bundle bundle) {
        return Path.of(java.net.URI.create(bundle.getLocation().substring(LOCATION.length())));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException failure) {
            LOG.warn("file {} of an uninstalled bundle is still there: {}", file, failure.toString());
        }
    }

    /** An installed bundle that no job needs. */
    private record Unused(BundleRef ref, Bundle bundle) {}

    /** A bundle and the jobs that need it. */
    private static final class Installation {

        private final CompletableFuture<Bundle> ready;
        private final SortedSet<JobId> jobs = new TreeSet<>();

        private Installation(CompletableFuture<Bundle> ready) {
            this.ready = ready;
        }
    }

    /** @param closed when the last job has given back its services; {@code end}: of the time that they stay */
    private record Idle(CompletionStage<Boolean> closed, Timers.Cancellable end) {}

    private record JobEntry(List<BundleRef> bundles, CompletableFuture<JobCode> code) {}
}
