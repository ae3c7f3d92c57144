package io.berth.itests.faulty;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;

/** First-fit, except for its fault. */
final class FaultyMatching implements MatchingStrategyFactory {

    private final FaultyCode faulty;

    FaultyMatching(FaultyCode faulty) {
        this.faulty = faulty;
    }

    @Override
    public PolicyDescription describe() {
        return FaultyActivator.describe(faulty);
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        faulty.called("create");
        if (faulty.does("create", "null")) {
            return null;
        }
        MatchingStrategy model =
                faulty.model(MatchingStrategyFactory.class, "first-fit").create(FaultyActivator.NOTHING, context);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                faulty.called("open");
                return faulty.does("open", "null") ? null : new Session(model.openPlacement(workers), workers);
            }

            @Override
            public AssignmentSession openAssignment() {
                AssignmentSession session = model.openAssignment();
                return (input, result) -> {
                    faulty.called("assign");
                    if (!faulty.at.equals("assign") || !assigned(input, result)) {
                        session.assign(input, result);
                    }
                };
            }
        };
    }

    /** Whether the fault was the whole answer. */
    private boolean assigned(AssignmentView input, AssignmentBuilder result) {
        switch (faulty.deed) {
            case "unknown-slot" -> result.assign(input.slots(), 0);
            case "negative" -> result.assign(-1, 0);
            case "unknown-requirement" -> result.assign(0, input.requirements());
            case "twice" -> {
                result.assign(0, 0);
                result.assign(0, 0);
            }
            case "too-many" -> {
                for (int slot = 0; slot < input.slots(); slot++) {
                    result.assign(slot, 0);
                }
            }
            case "other-thread" -> inThread(() -> result.assign(0, 0));
            default -> {
                return false;
            }
        }
        return true;
    }

    static void inThread(Runnable deed) {
        Thread thread = new Thread(deed, "faulty-other-thread");
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private final class Session implements PlacementSession {

        private final PlacementSession model;
        private final WorkersView workers;
        private PlacementBuilder oldPlan;
        private AdmittedView oldAdmitted;

        private Session(PlacementSession model, WorkersView workers) {
            this.model = model;
            this.workers = workers;
        }

        @Override
        public void delta(int[] changed) {
            faulty.called("delta");
            model.delta(changed.clone());
            if (faulty.deed.equals("mutates")) {
                Arrays.fill(changed, -1);
            }
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            faulty.called("place");
            if (faulty.deed.equals("stale")) {
                stale(admitted, plan);
            }
            if (!faulty.at.equals("place") || !placed(admitted, plan)) {
                model.place(admitted, plan);
            }
        }

        /** Uses what it received in the previous call, here and on its own thread, which continues. */
        private void stale(AdmittedView admitted, PlacementBuilder plan) {
            if (oldPlan != null) {
                oldPlan.place(0, 0, 1);
                oldPlan.open(0);
                oldPlan.unplaced(0, "stale");
                oldAdmitted.need(0, 0, 0);
                PlacementBuilder before = oldPlan;
                inThread(() -> {
                    before.place(0, 0, 1);
                    workers.limit();
                });
                faulty.called("stale");
            }
            oldPlan = plan;
            oldAdmitted = admitted;
        }

        private int present() {
            for (int worker = 0; worker < workers.limit(); worker++) {
                if (workers.present(worker)) {
                    return worker;
                }
            }
            return 0;
        }

        private boolean placed(AdmittedView admitted, PlacementBuilder plan) {
            switch (faulty.deed) {
                case "unknown-entry" -> plan.place(admitted.size(), present(), 1);
                case "negative" -> plan.place(0, present(), -1);
                case "unknown-worker" -> plan.place(0, Integer.MAX_VALUE, 1);
                case "partial" -> plan.place(0, present(), 1);
                case "over-capacity" -> plan.place(0, present(), admitted.count(0));
                case "twice" -> {
                    model.place(admitted, plan);
                    model.place(admitted, plan);
                }
                case "unknown-spec" -> plan.open(99);
                case "other-thread" -> inThread(() -> plan.place(0, 0, 1));
                case "endless" -> {
                    while (faulty.mercy().getCount() > 0) {
                        plan.place(0, present(), 1);
                        plan.unplaced(0, "endless");
                    }
                }
                case "null-reason" -> {
                    plan.unplaced(0, null);
                    return false;
                }
                default -> {
                    return false;
                }
            }
            return true;
        }

        @Override
        public void close() {
            faulty.called("close");
            model.close();
        }
    }
}
