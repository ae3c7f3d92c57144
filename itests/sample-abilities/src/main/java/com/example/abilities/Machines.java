package com.example.abilities;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.LaunchDescription;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Component;

/**
 * Changing specs: processes on this machine that are offered only after some time. Several of it may run, each by a
 * factory configuration. Its workers end with it. A file {@code offers} in the directory of the backend changes what is
 * offered: a line with name and maximum for each spec.
 *
 * <p>Leaving: a file {@code WORKER.leaves} in the directory of the backend says in how many milliseconds the worker is
 * taken away.
 */
@Component
@Policy(kind = "backend", name = "machines", configuration = {"machines", "offered.after.ms"})
public final class Machines implements BackendFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "machines",
                "Workers that are offered later",
                List.of(
                        ConfigurationKey.number("machines", 0, 0, 10, "how many workers are offered"),
                        ConfigurationKey.number("offered.after.ms", 0, 0, 60_000, "when they are offered")));
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context) {
        return new Processes(
                context, (int) configuration.number("machines"), configuration.number("offered.after.ms"));
    }

    /** Confined to a thread of its own. */
    private static final class Processes implements Backend {

        private static final long LOOK_MILLIS = 200;
        /** Exit codes of a shell. */
        private static final int CANNOT_BE_RUN = 126;

        private static final int NOT_FOUND = 127;

        private final BackendContext context;
        private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
        private final Map<WorkerId, Process> running = new TreeMap<>();
        private final Map<WorkerId, String> specOf = new HashMap<>();
        private final List<WorkerSpec> atFirst;
        private List<WorkerSpec> offered;
        private Map<String, Integer> needed = Map.of();
        private boolean recovered;
        private int count;

        Processes(BackendContext context, int machines, long offeredAfterMillis) {
            this.context = context;
            List<WorkerSpec> all = machines > 0 ? List.of(spec("machine", machines)) : List.of();
            atFirst = offeredAfterMillis > 0 ? List.of() : all;
            offered = atFirst;
            if (machines > 0) {
                if (offeredAfterMillis > 0) {
                    thread.schedule(() -> offer(all), offeredAfterMillis, TimeUnit.MILLISECONDS);
                }
                thread.scheduleWithFixedDelay(this::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
        }

        private static WorkerSpec spec(String name, int maximum) {
            return WorkerSpec.of(name, ResourceProfile.of(1_000, 128L << 20))
                    .maximum(maximum)
                    .label("machine", name.equals("machine") ? "late" : name)
                    .build();
        }

        private void look() {
            readOffers();
            readNotices();
        }

        private void readOffers() {
            Path offers = context.directory().resolve("offers");
            try {
                if (Files.exists(offers)) {
                    List<WorkerSpec> read = new ArrayList<>();
                    for (String line : Files.readAllLines(offers)) {
                        String[] words = line.split(" ", -1);
                        read.add(spec(words[0], Integer.parseInt(words[1])));
                    }
                    Files.delete(offers);
                    offer(read);
                }
            } catch (IOException | IllegalArgumentException notYet) {
                // It is read again.
            }
        }

        private void readNotices() {
            running.forEach((worker, process) -> {
                Path notice = context.directory().resolve(worker + ".leaves");
                try {
                    if (Files.exists(notice)) {
                        long millis = Long.parseLong(Files.readString(notice).strip());
                        Files.delete(notice);
                        context.leaving(worker, millis, "spot notice");
                        thread.schedule(process::destroyForcibly, millis, TimeUnit.MILLISECONDS);
                    }
                } catch (IOException notYet) {
                    // It is read again.
                }
            });
        }

        private void offer(List<WorkerSpec> specs) {
            offered = specs;
            context.specs(specs);
            startMissing();
        }

        @Override
        public List<WorkerSpec> specs() {
            return atFirst;
        }

        @Override
        public void declare(WorkerDeclaration declaration) {
            thread.execute(() -> {
                if (!recovered) {
                    recovered = true;
                    context.recovered();
                }
                needed = declaration.needed();
                declaration.unwanted().forEach(unwanted -> Optional.ofNullable(running.get(unwanted))
                        .ifPresent(Process::destroy));
                startMissing();
            });
        }

        private void startMissing() {
            offered.forEach(this::startMissing);
        }

        private void startMissing(WorkerSpec spec) {
            while (Collections.frequency(specOf.values(), spec.name()) < Math.min(spec.maximum(), needed.getOrDefault(spec.name(), 0))) {
                WorkerId worker = new WorkerId(context.workerIdPrefix() + ++count);
                LaunchDescription launch = context.launch(worker, spec);
                try {
                    File log = context.directory().resolve(worker + ".log").toFile();
                    log.getParentFile().mkdirs();
                    Process process = new ProcessBuilder(launch.localCommand(Optional.empty()))
                            .redirectErrorStream(true)
                            .redirectOutput(log)
                            .start();
                    running.put(worker, process);
                    specOf.put(worker, spec.name());
                    context.started(worker, spec.name());
                    process.onExit().thenAccept(ended -> execute(() -> ended(worker, ended.exitValue())));
                } catch (IOException failure) {
                    context.startFailed(
                            spec.name(),
                            StartFailure.of(StartFailure.Kind.FAILED, failure.toString())
                                    .build());
                    return;
                }
            }
        }

        private void ended(WorkerId worker, int code) {
            running.remove(worker);
            String spec = specOf.remove(worker);
            context.ended(worker, "exit code " + code);
            if (code == CANNOT_BE_RUN || code == NOT_FOUND) {
                // Not again at once: what is needed is declared again after a failed start.
                context.startFailed(
                        spec,
                        StartFailure.of(StartFailure.Kind.FAILED, "exit code " + code)
                                .build());
            } else {
                startMissing();
            }
        }

        private void execute(Runnable action) {
            try {
                thread.execute(action);
            } catch (RejectedExecutionException closed) {
                // Nobody waits for it.
            }
        }

        @Override
        public void close() {
            execute(() -> {
                needed = Map.of();
                // Also those that ignore being asked to end, which would outlive the cluster.
                running.values().forEach(Process::destroyForcibly);
                thread.shutdown();
            });
        }
    }
}
