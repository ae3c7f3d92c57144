package io.berth.testkit;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.backend.StartFailure;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A cluster manager in memory whose backends have flaws, or none. It outlives them. */
final class FlawedBackend implements BackendFactory {

    enum Flaw {
        STARTS_ONE_MORE,
        STOPS_WHAT_IS_NOT_NAMED,
        STARTS_ONE_SPEC_ONLY,
        HIDES_FAILED_STARTS,
        FAILS_WITHOUT_WORDS,
        KEEPS_CHANGES_TO_ITSELF,
        STOPS_WORKERS_OF_OLD_SPECS,
        KEEPS_NOTICES_TO_ITSELF,
        FORGETS_NOTICES,
        NEVER_RECOVERS,
        FORGETS_WORKERS,
        RECOVERS_TOO_SOON,
        STOPS_WORKERS_THAT_STAY,
        CLOSES_SLOWLY,
        STARTS_AT_CREATION,
        OFFERS_A_RESERVED_LABEL,
        CHANGES_TO_A_SPEC_THAT_IS_TOO_LARGE
    }

    static final long SLOW_MILLIS = 600;
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4L << 30);

    private final Set<Flaw> flaws = EnumSet.noneOf(Flaw.class);
    /** The workers of all instances, with their specs. */
    private final SortedMap<WorkerId, String> running = new TreeMap<>();

    /** The workers that will be taken away. */
    private final SortedSet<WorkerId> noticed = new TreeSet<>();

    private int numbers;

    FlawedBackend(Flaw... flaws) {
        this.flaws.addAll(List.of(flaws));
    }

    private boolean has(Flaw flaw) {
        return flaws.contains(flaw);
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("flawed", "a cluster manager in memory");
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context) {
        Instance instance = new Instance(context);
        if (has(Flaw.STARTS_AT_CREATION)) {
            instance.start("small");
        }
        return instance;
    }

    /** Another list of specs: what was small is gone. */
    static void change(Backend backend) {
        ((Instance) backend).change();
    }

    /** The worker will be taken away. */
    static void notice(Backend backend, WorkerId worker) {
        ((Instance) backend).notice(worker);
    }

    private static WorkerSpec spec(String name) {
        return WorkerSpec.of(name, SIZE).maximum(5).build();
    }

    private final class Instance implements Backend {

        private final BackendContext context;
        private List<WorkerSpec> offered = List.of(spec("small"), spec("large"));
        private final SortedMap<WorkerId, String> known = new TreeMap<>();
        private boolean recovered;

        private Instance(BackendContext context) {
            this.context = context;
            if (has(Flaw.OFFERS_A_RESERVED_LABEL)) {
                offered = List.of(WorkerSpec.of("small", SIZE)
                        .maximum(5)
                        .label("berth.spec", "small")
                        .build());
            }
        }

        @Override
        public List<WorkerSpec> specs() {
            return offered;
        }

        private void change() {
            int largest = has(Flaw.CHANGES_TO_A_SPEC_THAT_IS_TOO_LARGE) ? 1_000_000 : 5;
            offered = List.of(
                    spec("large"), WorkerSpec.of("huge", SIZE).maximum(largest).build());
            if (has(Flaw.STOPS_WORKERS_OF_OLD_SPECS)) {
                List.copyOf(known.keySet()).forEach(this::stop);
            }
            if (!has(Flaw.KEEPS_CHANGES_TO_ITSELF)) {
                context.specs(offered);
            }
        }

        private void notice(WorkerId worker) {
            noticed.add(worker);
            if (!has(Flaw.KEEPS_NOTICES_TO_ITSELF)) {
                context.leaving(worker, 120_000, "spot notice");
            }
        }

        @Override
        public void declare(WorkerDeclaration declaration) {
            if (!recovered) {
                recovered = true;
                if (has(Flaw.RECOVERS_TOO_SOON)) {
                    context.recovered();
                }
                if (!has(Flaw.FORGETS_WORKERS)) {
                    running.forEach((worker, spec) -> {
                        known.put(worker, spec);
                        context.started(worker, spec);
                    });
                    if (!has(Flaw.FORGETS_NOTICES)) {
                        List.copyOf(noticed).forEach(this::notice);
                    }
                }
                if (!has(Flaw.RECOVERS_TOO_SOON) && !has(Flaw.NEVER_RECOVERS)) {
                    context.recovered();
                }
            }
            declaration.unwanted().forEach(this::stop);
            declaration.needed().forEach(this::reach);
        }

        private void reach(String spec, int needed) {
            long has = known.values().stream().filter(spec::equals).count();
            int wanted = needed + (needed > 0 && has(Flaw.STARTS_ONE_MORE) ? 1 : 0);
            String started = has(Flaw.STARTS_ONE_SPEC_ONLY) ? offered.get(0).name() : spec;
            for (long missing = wanted - has; missing > 0; missing--) {
                start(started);
            }
            if (has(Flaw.STOPS_WHAT_IS_NOT_NAMED) && has > needed) {
                stop(known.lastKey());
            }
        }

        private void start(String spec) {
            WorkerId worker = new WorkerId(context.workerIdPrefix() + ++numbers);
            if (context.launch(worker, spec(spec)).javaOptions().toString().contains("/no/such/program")) {
                if (!has(Flaw.HIDES_FAILED_STARTS)) {
                    context.startFailed(
                            spec,
                            StartFailure.of(
                                            StartFailure.Kind.REJECTED,
                                            has(Flaw.FAILS_WITHOUT_WORDS) ? " " : "there is no such program")
                                    .build());
                }
                return;
            }
            running.put(worker, spec);
            known.put(worker, spec);
            context.started(worker, spec);
        }

        private void stop(WorkerId worker) {
            if (known.remove(worker) != null) {
                running.remove(worker);
                noticed.remove(worker);
                context.ended(worker, "stopped");
            }
        }

        @Override
        public void close() {
            if (has(Flaw.CLOSES_SLOWLY)) {
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SLOW_MILLIS);
                while (System.nanoTime() < end) {
                    LockSupport.parkNanos(end - System.nanoTime());
                }
            }
            if (!context.workersStay() || has(Flaw.STOPS_WORKERS_THAT_STAY)) {
                List.copyOf(known.keySet()).forEach(this::stop);
            }
        }
    }
}
