package io.berth.core.scheduler;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.scheduler.job.Requirements;
import io.berth.policy.support.SlotAssignment;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Scales each vertex to the slots of its group, up to its desired parallelism; can delay answers or give none. */
public final class FakePolicies implements PolicyHost {

    private static final PolicyIdentity IDENTITY =
            new PolicyIdentity(PolicyKind.SCALING, "fake", "fake", "1.0.0", 1, 1);

    boolean decides = true;
    boolean fatal;
    /** Whether each other parallelism is worth a restart. */
    boolean accepts = true;

    boolean holdsScalings;
    private final List<Runnable> heldScalings = new ArrayList<>();

    /** No vertex is to run at more. */
    int mostDesired = Integer.MAX_VALUE;

    /** What each call of the scaling policy throws. */
    Optional<RuntimeException> broken = Optional.empty();

    Runnable changed = () -> {};
    final AtomicInteger open = new AtomicInteger();
    public boolean assigns = true;
    public boolean holdsAssignments;
    /** When each assignment is to be reviewed. */
    public OptionalLong reviewMillis = OptionalLong.empty();

    /** When each scaling decision is to be reviewed. */
    OptionalLong scalingReviewMillis = OptionalLong.empty();
    /** How many scaling decisions were asked for. */
    int scalings;
    /** What the last one was asked with. */
    Optional<ScalingAdvisor.ScalingInput> lastScaling = Optional.empty();

    private final List<Runnable> held = new ArrayList<>();
    public final List<AssignmentQuery> assignments = new ArrayList<>();

    @Override
    public PlacementPlanner openPlanner(
            String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable whenChanged) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScalingAdvisor openScaling(JobGraph job, Runnable whenChanged) {
        changed = whenChanged;
        open.incrementAndGet();
        return new ScalingAdvisor() {
            private JobGraph bounded = job;

            @Override
            public void changed(JobGraph next) {
                bounded = next;
            }

            @Override
            public CompletionStage<ScalingOutcome> decide(ScalingInput input) {
                scalings++;
                lastScaling = Optional.of(input);
                if (fatal) {
                    throw new StackOverflowError("a test");
                }
                broken.ifPresent(failure -> {
                    throw failure;
                });
                ScalingOutcome outcome = decides
                        ? decision(bounded, input)
                        : new ScalingOutcome.NotDecided(Reason.of(ReasonCode.NO_SCALING, "no scaling policy"));
                CompletableFuture<ScalingOutcome> answer = new CompletableFuture<>();
                if (holdsScalings) {
                    heldScalings.add(() -> answer.complete(outcome));
                } else {
                    answer.complete(outcome);
                }
                return answer;
            }

            @Override
            public void close() {
                open.decrementAndGet();
                changed = () -> {};
            }
        };
    }

    private ScalingAdvisor.ScalingOutcome decision(JobGraph job, ScalingAdvisor.ScalingInput input) {
        List<String> groups =
                job.groups().stream().map(JobGraph.SlotSharingGroup::name).toList();
        List<Integer> desired = Requirements.desired(job).stream()
                .map(value -> Math.min(value, mostDesired))
                .toList();
        List<Integer> planned = new ArrayList<>();
        for (int vertex = 0; vertex < desired.size(); vertex++) {
            int slots =
                    input.slots().get(groups.indexOf(job.vertices().get(vertex).group()));
            planned.add(Math.min(desired.get(vertex), slots));
        }
        ScalingAdvisor.Feasible feasible = Requirements.isWithinBounds(job, planned)
                ? input.limit().feasible(Requirements.alignForward(job, planned, Math::min))
                : new ScalingAdvisor.Feasible(Optional.empty(), "");
        return new ScalingAdvisor.ScalingOutcome.Decided(
                1,
                IDENTITY,
                desired,
                feasible,
                accepts
                        && feasible.parallelism()
                                .filter(values -> !values.equals(input.current()))
                                .isPresent(),
                scalingReviewMillis,
                "as many as fit");
    }

    /** Answers the scaling questions that are held now, the oldest first. */
    void answerScalings() {
        List<Runnable> answers = List.copyOf(heldScalings);
        heldScalings.clear();
        answers.forEach(Runnable::run);
    }

    /** Answers the queries that are held now, the oldest first. */
    public void answerAssignments() {
        List<Runnable> answers = List.copyOf(held);
        held.clear();
        answers.forEach(Runnable::run);
    }

    @Override
    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        assignments.add(query);
        CompletableFuture<AssignmentOutcome> answer = new CompletableFuture<>();
        Runnable decision = () -> answer.complete(
                assigns
                        ? new AssignmentOutcome.Assigned(1, IDENTITY, new Assignment(query).decide(), reviewMillis)
                        : new AssignmentOutcome.NotDecided("no matching strategy"));
        if (holdsAssignments) {
            held.add(decision);
        } else {
            decision.run();
        }
        return answer;
    }

    /** Assigns slots as the strategies of the product do. */
    private record Assignment(AssignmentQuery query, int[] requirementOf) implements AssignmentView, AssignmentBuilder {

        Assignment(AssignmentQuery query) {
            this(query, new int[query.slots().size()]);
            Arrays.fill(requirementOf, -1);
        }

        List<Integer> decide() {
            SlotAssignment.assign(this, this);
            return Arrays.stream(requirementOf).boxed().toList();
        }

        @Override
        public void assign(int slot, int requirement) {
            requirementOf[slot] = requirement;
        }

        @Override
        public void unassigned(int requirement, String reason) {
            // No test reads the reason.
        }

        @Override
        public long now() {
            return 0;
        }

        @Override
        public int slots() {
            return query.slots().size();
        }

        @Override
        public ResourceProfile slotProfile(int slot) {
            return query.slots().get(slot).profile();
        }

        @Override
        public WorkerId slotWorker(int slot) {
            return query.slots().get(slot).worker();
        }

        @Override
        public int allocatedFor(int slot) {
            return query.slots().get(slot).allocatedFor();
        }

        @Override
        public int requirements() {
            return query.requirements().size();
        }

        @Override
        public ResourceProfile requirementProfile(int requirement) {
            return query.requirements().get(requirement).profile();
        }

        @Override
        public int count(int requirement) {
            return query.requirements().get(requirement).count();
        }

        @Override
        public boolean accepts(int requirement, int slot) {
            ResourceProfile required = requirementProfile(requirement);
            if (!query.requirements()
                    .get(requirement)
                    .constraints()
                    .equals(query.slots().get(slot).constraints())) {
                return false;
            }
            if (query.rule() == MatchingRule.LOOSE) {
                return required.isUnknown() || slotProfile(slot).covers(required);
            }
            return required.isUnknown()
                    ? query.slots().get(slot).defaultSlot()
                    : slotProfile(slot).equals(required);
        }

        @Override
        public void reviewAfter(long millis) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long wallTime() {
            return 0;
        }

        @Override
        public int constraints(int requirement) {
            return -1;
        }

        @Override
        public int slotConstraints(int slot) {
            return -1;
        }
    }
}
