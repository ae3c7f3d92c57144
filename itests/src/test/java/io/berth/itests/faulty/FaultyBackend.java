package io.berth.itests.faulty;

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
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** Starts no worker, whatever it reports. */
final class FaultyBackend implements BackendFactory {

    /** None may be started, so nobody waits for it. */
    private static final WorkerSpec TINY =
            WorkerSpec.of("tiny", ResourceProfile.of(1, 1)).maximum(0).build();

    private final FaultyCode faulty;

    FaultyBackend(FaultyCode faulty) {
        this.faulty = faulty;
    }

    @Override
    public PolicyDescription describe() {
        return FaultyActivator.describe(faulty);
    }

    @Override
    public Backend create(PolicyConfiguration configuration, BackendContext context) {
        faulty.called("create");
        if (faulty.does("create", "null")) {
            return null;
        }
        return new Backend() {
            @Override
            public List<WorkerSpec> specs() {
                faulty.called("specs");
                return faulty.at.equals("specs") ? wrongSpecs() : List.of(TINY);
            }

            @Override
            public void declare(WorkerDeclaration declaration) {
                faulty.called("declare");
                if (faulty.at.equals("declare")) {
                    report(context);
                }
            }

            @Override
            public void close() {
                faulty.called("close");
            }
        };
    }

    private List<WorkerSpec> wrongSpecs() {
        return switch (faulty.deed) {
            case "null" -> null;
            case "null-entry" -> Arrays.asList(TINY, null);
            case "no-name" ->
                List.of(WorkerSpec.of(null, ResourceProfile.of(1, 1)).build());
            case "no-total" -> List.of(WorkerSpec.of("none", null).build());
            case "unknown-total" ->
                List.of(WorkerSpec.of("unknown", ResourceProfile.UNKNOWN).build());
            case "twice" -> List.of(TINY, TINY);
            case "too-many" -> {
                List<WorkerSpec> many = new ArrayList<>();
                for (int i = 0; i < 100_000; i++) {
                    many.add(
                            WorkerSpec.of("spec-" + i, ResourceProfile.of(1, 1)).build());
                }
                yield many;
            }
            case "least-too-large" ->
                List.of(WorkerSpec.of("large", ResourceProfile.of(1, 1))
                        .minimum(Integer.MAX_VALUE)
                        .maximum(Integer.MAX_VALUE)
                        .build());
            case "endless" -> endless();
            default -> List.of(TINY);
        };
    }

    private List<WorkerSpec> endless() {
        return new AbstractList<>() {
            @Override
            public WorkerSpec get(int index) {
                return TINY;
            }

            @Override
            public int size() {
                return 1;
            }

            @Override
            public Object[] toArray() {
                Deeds.loop(faulty);
                return new Object[0];
            }

            @Override
            public Iterator<WorkerSpec> iterator() {
                Deeds.loop(faulty);
                return List.<WorkerSpec>of().iterator();
            }
        };
    }

    /** Sends false reports about workers, its own and those of others. */
    private void report(BackendContext context) {
        switch (faulty.deed) {
            case "reports-null" -> {
                attempt(() -> context.started(null, null));
                attempt(() -> context.ended(null, null));
                attempt(() -> context.startFailed(null, null));
                attempt(() -> context.queued(null, null));
                attempt(() -> context.specs(null));
                attempt(() -> context.specs(Arrays.asList(TINY, null)));
                attempt(() -> context.launch(null, null));
            }
            case "reports-unknown" -> {
                for (int i = 0; i < 1_000; i++) {
                    WorkerId worker = new WorkerId(context.workerIdPrefix() + "lie-" + i);
                    attempt(() -> context.started(worker, "nobody-knows"));
                    attempt(() -> context.started(new WorkerId(worker.value() + "x"), TINY.name()));
                }
            }
            case "reports-foreign" -> {
                String foreign = (String) faulty.shared.get("foreign-worker");
                attempt(() -> context.ended(new WorkerId(foreign), "a lie"));
                attempt(() -> context.started(new WorkerId(foreign), TINY.name()));
            }
            case "reports-flood" -> {
                WorkerId worker = new WorkerId(context.workerIdPrefix() + "flood");
                String text = "x".repeat(10_000);
                for (int i = 0; i < 50_000; i++) {
                    attempt(() -> context.startFailed(
                            TINY.name(),
                            StartFailure.of(StartFailure.Kind.FAILED, text).build()));
                    attempt(() -> context.ended(worker, text));
                }
            }
            default -> {}
        }
        faulty.called("reported");
    }

    private void attempt(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException refused) {
            faulty.shared.putIfAbsent(faulty.key("refusal"), String.valueOf(refused.getMessage()));
        }
    }
}
