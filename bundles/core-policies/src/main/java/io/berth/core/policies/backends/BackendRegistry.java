package io.berth.core.policies.backends;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.BackendHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.guard.CallDeadline;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Preference;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.core.policies.swap.BackendWatch;
import io.berth.policy.rules.SpecsCheck;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyKind;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active backends, one of each name. Follows the registry on a main thread for each follower. A new configuration
 * is created first; the old backend is closed only when the new one is accepted. Its workers stay then, and also when
 * its bundle is removed, which may be an update: the next backend takes them over.
 */
public final class BackendRegistry implements BackendHost, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackendRegistry.class);
    public static final long CLOSE_MILLIS = 15_000;

    private final PolicyRegistry registry;
    private final Guard guard;
    private final Clock clock;
    private final BiFunction<String, Consumer<Throwable>, MainThread> mainThreads;
    private final List<Following> followings = new CopyOnWriteArrayList<>();

    /** @param mainThreads makes a main thread from its name */
    public BackendRegistry(
            PolicyRegistry registry,
            Guard guard,
            Clock clock,
            BiFunction<String, Consumer<Throwable>, MainThread> mainThreads) {
        this.registry = registry;
        this.guard = guard;
        this.clock = clock;
        this.mainThreads = mainThreads;
    }

    @Override
    public AutoCloseable follow(BackendFollower follower) {
        Following following = new Following(follower);
        followings.add(following);
        following.begin();
        return following;
    }

    @Override
    public void close() {
        followings.forEach(Following::close);
    }

    private record Created(Backend backend, List<WorkerSpec> specs) {}

    private final class Following implements AutoCloseable {

        private final BackendFollower follower;
        private final MainThread main;
        private final Runnable listener = this::registryChanged;
        private final BackendWatch watch = new BackendWatch(registry.swaps());
        private final SortedMap<String, RunningBackend> running = new TreeMap<>();
        private final Map<String, PolicyCandidate> creating = new TreeMap<>();
        /** Names whose backend is being closed. The next one waits, because both would use one directory. */
        private final Set<String> ending = new TreeSet<>();
        /** Ends of backends that were being created when the follower was closed. */
        private final List<CompletableFuture<Boolean>> late = new ArrayList<>();

        private final CompletableFuture<Void> created = new CompletableFuture<>();
        private boolean closed;
        private boolean retryDue;

        private Following(BackendFollower follower) {
            this.follower = follower;
            this.main = mainThreads.apply("backends", failure -> {});
        }

        private void begin() {
            registry.listen(listener);
            registryChanged();
        }

        private void registryChanged() {
            main.execute(this::sync);
        }

        private void sync() {
            if (closed) {
                return;
            }
            for (RunningBackend backend : List.copyOf(running.values())) {
                if (!registry.present(backend.candidate().id())) {
                    watch.removed(backend.candidate());
                    end(backend);
                }
            }
            SortedMap<String, PolicyCandidate> wanted = new TreeMap<>();
            registry.selectToTry(PolicyKind.BACKEND, Preference.NONE, DecisionOwner.WORKERS)
                    .candidates()
                    .forEach(candidate -> wanted.putIfAbsent(candidate.name(), candidate));
            wanted.forEach((name, candidate) -> {
                RunningBackend old = running.get(name);
                // A backend that hung and was released by an operator gets a new instance: the old one is not called
                // again.
                boolean other = old == null || old.hung() || !old.candidate().same(candidate);
                if (other && !creating.containsKey(name) && !ending.contains(name)) {
                    create(name, candidate);
                }
            });
        }

        private void create(String name, PolicyCandidate candidate) {
            Optional<Long> number = registry.begin(candidate, DecisionOwner.WORKERS);
            if (number.isEmpty()) {
                return;
            }
            creating.put(name, candidate);
            CallDeadline deadline = registry.deadline(candidate.registration());
            LiveContext context = new LiveContext(candidate, follower.context(name), clock, deadline.millis());
            PolicyConfiguration configuration = candidate.configuration().read();
            // A late backend may have started workers: it is closed at once.
            var call = guard.call(
                    candidate.registration(),
                    PolicyCall.CREATE,
                    "create",
                    deadline,
                    phases -> context.during(phases, () -> {
                        Backend backend = ((BackendFactory) candidate.factory()).create(configuration, context);
                        return created(backend);
                    }),
                    made -> made.backend().close());
            main.whenComplete(call, (outcome, never) -> {
                if (outcome instanceof CallOutcome.Returned<Created> returned) {
                    RunningBackend made = new RunningBackend(
                            candidate,
                            number.get(),
                            returned.value().backend(),
                            returned.value().specs(),
                            context,
                            follower,
                            registry,
                            guard,
                            main);
                    RunningBackend old = running.get(name);
                    if (closed || !registry.present(candidate.id())) {
                        creating.remove(name);
                        late.add(made.close());
                        settle();
                        return;
                    }
                    if (old == null) {
                        creating.remove(name);
                        running.put(name, made);
                        added(made);
                        sync();
                    } else {
                        // In creation until the old one has ended, so that no third one comes between.
                        end(old).whenComplete((gone, never2) -> main.execute(() -> {
                            creating.remove(name);
                            if (closed) {
                                late.add(made.close());
                                settle();
                            } else {
                                running.put(name, made);
                                added(made);
                                sync();
                            }
                        }));
                    }
                    return;
                }
                context.end();
                creating.remove(name);
                settle();
                registry.end(number.get());
                if (outcome instanceof CallOutcome.Refused<Created> refused) {
                    registry.refused(candidate, refused.message());
                } else if (outcome instanceof CallOutcome.Failed<Created> failed
                        && failed.fault() == CallOutcome.Fault.NO_THREAD) {
                    registry.health().waited(candidate, failed.text());
                    retryLater();
                } else if (outcome instanceof CallOutcome.Failed<Created> failed && isConfiguredAnew(name, candidate)) {
                    // The previous one keeps running: any failure with the new configuration counts as a rejection.
                    registry.refused(candidate, failed.text());
                } else if (outcome instanceof CallOutcome.Failed<Created> failed) {
                    registry.health().failed(candidate, RunningBackend.ASKER, failed.text(), failed.hung());
                    if (registry.deadline(candidate.registration()).isSuspended()) {
                        // No quarantine ends what would be a loop.
                        retryLater();
                    } else {
                        sync();
                    }
                }
            });
        }

        private void retryLater() {
            if (!retryDue) {
                retryDue = true;
                main.schedule(RunningBackend.RETRY_MILLIS, () -> {
                    retryDue = false;
                    sync();
                });
            }
        }

        private boolean isConfiguredAnew(String name, PolicyCandidate candidate) {
            RunningBackend runs = running.get(name);
            return runs != null && runs.candidate().id() == candidate.id();
        }

        /** Runs in the guard. Closes a backend whose specs are invalid. */
        private Created created(Backend backend) {
            if (backend == null) {
                throw new IllegalArgumentException("create returned nothing");
            }
            try {
                return new Created(backend, SpecsCheck.copy(backend.specs()));
            } catch (RuntimeException | Error refused) {
                backend.close();
                throw refused;
            }
        }

        private void settle() {
            late.removeIf(CompletableFuture::isDone);
            if (closed && creating.isEmpty()) {
                CompletableFuture.allOf(late.toArray(CompletableFuture[]::new))
                        .whenComplete((all, never) -> created.complete(null));
            }
        }

        private void added(RunningBackend backend) {
            watch.decides(backend.candidate(), backend.generation());
            LOG.info("backend {} decides on its workers: specs {}", backend.candidate(), backend.specs());
            registry.health().succeeded(backend.candidate(), RunningBackend.ASKER);
            follower.added(backend);
        }

        private CompletableFuture<Boolean> end(RunningBackend backend) {
            running.remove(backend.name(), backend);
            ending.add(backend.name());
            CompletableFuture<Boolean> ended =
                    backend.candidate().registration().frameworkStops() ? backend.close() : backend.handOver();
            follower.removed(backend);
            ended.whenComplete((gone, never) -> main.execute(() -> {
                ending.remove(backend.name());
                sync();
            }));
            return ended;
        }

        @Override
        public void close() {
            registry.forget(listener);
            followings.remove(this);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            main.call(() -> {
                        closed = true;
                        List<CompletableFuture<?>> closing = new ArrayList<>(List.of(created));
                        for (RunningBackend backend : List.copyOf(running.values())) {
                            running.remove(backend.name());
                            closing.add(backend.close());
                        }
                        settle();
                        CompletableFuture.allOf(closing.toArray(CompletableFuture[]::new))
                                .whenComplete((all, never) -> ended.complete(null));
                        return true;
                    })
                    .whenComplete((done, failure) -> {
                        if (failure != null) {
                            ended.complete(null);
                        }
                    });
            try {
                ended.get(CLOSE_MILLIS + 1_000, TimeUnit.MILLISECONDS);
            } catch (TimeoutException late) {
                LOG.warn("backends did not end within {} ms", CLOSE_MILLIS);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException impossible) {
                LOG.error("backends did not end", impossible);
            }
            main.close();
        }
    }
}
