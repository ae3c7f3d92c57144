package io.berth.scorecard.planted;

import io.berth.matching.firstfit.FirstFitFactory;
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

/** First fit, with a flaw where a method is overridden. */
class FlawedStrategy implements MatchingStrategyFactory {

    private final FirstFitFactory right = new FirstFitFactory();

    /** What a call sees, and what it answers. */
    static class Answer implements PlacementBuilder {

        final WorkersView workers;
        final AdmittedView admitted;
        final PlacementBuilder to;

        Answer(WorkersView workers, AdmittedView admitted, PlacementBuilder to) {
            this.workers = workers;
            this.admitted = admitted;
            this.to = to;
        }

        @Override
        public void place(int entry, int worker, int count) {
            to.place(entry, worker, count);
        }

        @Override
        public void reserve(int entry, int worker, int count) {
            to.reserve(entry, worker, count);
        }

        @Override
        public void exclude(int entry, int worker, String reason) {
            to.exclude(entry, worker, reason);
        }

        @Override
        public void excludeSpec(int entry, int spec, String reason) {
            to.excludeSpec(entry, spec, reason);
        }

        @Override
        public void giveBack(int allocation, String reason) {
            to.giveBack(allocation, reason);
        }

        @Override
        public int open(int spec) {
            return to.open(spec);
        }

        @Override
        public void unplaced(int entry, String reason) {
            to.unplaced(entry, reason);
        }

        @Override
        public void leaveOut(int entry, String reason) {
            to.leaveOut(entry, reason);
        }

        @Override
        public void note(String text) {
            to.note(text);
        }

        @Override
        public void reviewAfter(long millis) {
            to.reviewAfter(millis);
        }

        /** After all entries. */
        void end() {
            // Nothing is left to do.
        }
    }

    PolicyDescription description() {
        return Planted.description("flawed");
    }

    void accept(PolicyContext context) throws InvalidConfigurationException {
        // The right one accepts all.
    }

    Answer answer(WorkersView workers, AdmittedView admitted, PlacementBuilder to) {
        return new Answer(workers, admitted, to);
    }

    int[] learned(WorkersView workers, int[] changed) {
        return changed;
    }

    boolean usesAllocations() {
        return false;
    }

    void assign(AssignmentSession session, AssignmentView input, AssignmentBuilder to) {
        session.assign(input, to);
    }

    @Override
    public final PolicyDescription describe() {
        return description();
    }

    @Override
    public final MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        accept(context);
        MatchingStrategy strategy = right.create(configuration, context);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return placement(workers, strategy.openPlacement(workers));
            }

            @Override
            public AssignmentSession openAssignment() {
                AssignmentSession session = strategy.openAssignment();
                return new AssignmentSession() {
                    @Override
                    public void assign(AssignmentView input, AssignmentBuilder to) {
                        FlawedStrategy.this.assign(session, input, to);
                    }

                    @Override
                    public void close() {
                        session.close();
                    }
                };
            }

            @Override
            public boolean usesAllocations() {
                return FlawedStrategy.this.usesAllocations();
            }
        };
    }

    private PlacementSession placement(WorkersView workers, PlacementSession session) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                session.delta(learned(workers, changed));
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder to) {
                Answer answer = answer(workers, admitted, to);
                session.place(admitted, answer);
                answer.end();
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }
}
