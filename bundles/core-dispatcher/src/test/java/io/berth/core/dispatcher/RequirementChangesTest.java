package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.spi.JobId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requirements at run time (FLIP-291; conformance 107). */
class RequirementChangesTest {

    private static final ParallelismBounds SUBMITTED =
            new ParallelismBounds(1, List.of(new VertexBounds("a", 1, 2, 2)));

    @TempDir
    Path directory;

    private TestControlPlane plane;
    private JobId job;

    @BeforeEach
    void open() throws IOException {
        plane = new TestControlPlane(directory);
        plane.start();
        job = plane.submit(TestControlPlane.JOB);
    }

    private CompletionStage<RequirementsResult> asked(OptionalLong basis, VertexBounds... bounds) {
        return plane.term.jobs().changeRequirements(job, basis, List.of(bounds));
    }

    private RequirementsResult change(OptionalLong basis, VertexBounds... bounds) {
        return TestControlPlane.now(asked(basis, bounds));
    }

    private RequirementsResult change(int minimum, int desired, int maximum) {
        return change(OptionalLong.empty(), new VertexBounds("a", minimum, desired, maximum));
    }

    private Optional<ParallelismBounds> requirements() {
        return TestControlPlane.now(plane.term.jobs().requirements(job));
    }

    private List<ParallelismBounds> told() {
        return plane.cluster.bounds.getOrDefault(job.value(), List.of());
    }

    private static ParallelismBounds bounds(long revision, int minimum, int desired, int maximum) {
        return new ParallelismBounds(revision, List.of(new VertexBounds("a", minimum, desired, maximum)));
    }

    @Test
    void aChangeReachesTheJobMaster() {
        assertThat(requirements()).contains(SUBMITTED);
        assertThat(change(1, 4, 8)).isEqualTo(new RequirementsResult.Changed(bounds(2, 1, 4, 8)));
        assertThat(requirements()).contains(bounds(2, 1, 4, 8));
        assertThat(told()).containsExactly(bounds(2, 1, 4, 8));
    }

    @Test
    void aJobHasAtMostAsManyTasksAsAreAllowedOrAsItHasAlready() {
        plane.term.configure(new DispatcherSettings(100, true, List.of(), 4, 2_000));
        assertThat(plane.refusal(TestControlPlane.JOB.replace("max: 2", "max: 5")))
                .extracting(Problem::toString)
                .singleElement()
                .asString()
                .contains("a parallelism of 5 in total", "at most 4, tasks.max");
        assertThat(change(1, 2, 4)).isInstanceOf(RequirementsResult.Changed.class);
        assertThat(change(1, 2, 5))
                .isInstanceOfSatisfying(
                        RequirementsResult.Refused.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Problem::toString)
                                .singleElement()
                                .asString()
                                .contains("a parallelism of 5 in total", "at most 4"));
        plane.term.configure(new DispatcherSettings(100, true, List.of(), 1, 2_000));
        assertThat(change(2, 2, 4)).as("not more than before").isInstanceOf(RequirementsResult.Changed.class);
        assertThat(change(1, 1, 1)).isInstanceOf(RequirementsResult.Changed.class);
        assertThat(change(1, 1, 2)).isInstanceOf(RequirementsResult.Refused.class);
    }

    @Test
    void theSameRequirementsChangeNothing() {
        int changes = plane.store.changes;
        assertThat(change(1, 2, 2)).isEqualTo(new RequirementsResult.Changed(SUBMITTED));
        assertThat(plane.store.changes).isEqualTo(changes);
        assertThat(told()).isEmpty();
    }

    @Test
    void c107_aChangeOfOtherRequirementsThanThePresentOnesIsAConflict() {
        change(1, 4, 8);
        assertThat(change(OptionalLong.of(1), new VertexBounds("a", 1, 1, 1)))
                .isEqualTo(new RequirementsResult.Conflict(bounds(2, 1, 4, 8)));
        assertThat(change(OptionalLong.of(2), new VertexBounds("a", 1, 1, 1)))
                .isEqualTo(new RequirementsResult.Changed(bounds(3, 1, 1, 1)));
        assertThat(told()).containsExactly(bounds(2, 1, 4, 8), bounds(3, 1, 1, 1));
    }

    @Test
    void c107_aChangeWhileAnotherIsStoredIsAConflict() throws IOException {
        Deque<Runnable> queued = new ArrayDeque<>();
        plane.io = queued::add;
        plane.restart();
        while (!queued.isEmpty()) {
            queued.remove().run();
        }
        CompletionStage<RequirementsResult> first = asked(OptionalLong.empty(), new VertexBounds("a", 1, 4, 8));
        CompletionStage<RequirementsResult> second = asked(OptionalLong.empty(), new VertexBounds("a", 1, 1, 1));
        assertThat(first.toCompletableFuture()).isNotDone();
        assertThat(TestControlPlane.now(second)).isEqualTo(new RequirementsResult.Conflict(SUBMITTED));
        while (!queued.isEmpty()) {
            queued.remove().run();
        }
        assertThat(TestControlPlane.now(first)).isEqualTo(new RequirementsResult.Changed(bounds(2, 1, 4, 8)));
    }

    @Test
    void c107_aProblemNamesTheFieldTheValueAndWhatIsAllowed() {
        assertThat(problems(new VertexBounds("a", 0, 2, 2)))
                .containsExactly(new Problem("vertices.a.minimum", "0", "at least 1"));
        assertThat(problems(new VertexBounds("a", 3, 2, 2)))
                .containsExactly(new Problem("vertices.a.minimum", "3", "at most desired, 2"));
        assertThat(problems(new VertexBounds("a", 1, 3, 2)))
                .containsExactly(new Problem("vertices.a.desired", "3", "at most maximum, 2"));
        assertThat(problems(new VertexBounds("a", 1, 2, 129)))
                .containsExactly(new Problem(
                        "vertices.a.maximum",
                        "129",
                        "at most 128, its maxParallelism, which is fixed for the life of the job"));
        assertThat(problems(new VertexBounds("aa", 1, 2, 2)))
                .containsExactly(
                        new Problem("vertices.aa", "not a vertex of the job", "did you mean 'a'?"),
                        new Problem("vertices.a", "missing", "the bounds of each vertex are needed"));
        assertThat(requirements()).contains(SUBMITTED);
        assertThat(told()).isEmpty();
    }

    private List<Problem> problems(VertexBounds... bounds) {
        return ((RequirementsResult.Refused) change(OptionalLong.empty(), bounds)).problems();
    }

    @Test
    void aVertexIsGivenOnce() {
        job = plane.submit("""
                name: pair
                vertices:
                  - {name: a, operator: file-source, configuration: {path: /t}}
                  - {name: b, operator: file-sink, configuration: {path: /s}}
                edges: [{from: a, to: b, partitioning: rebalance}]
                """);
        assertThat(problems(new VertexBounds("a", 1, 1, 1), new VertexBounds("a", 2, 2, 2)))
                .containsExactly(
                        new Problem("vertices.a", "given twice", "once is allowed"),
                        new Problem("vertices.b", "missing", "the bounds of each vertex are needed"));
    }

    @Test
    void bothEndsOfAForwardEdgeNeedTheSame() {
        job = plane.submit("""
                name: pair
                vertices:
                  - {name: a, operator: file-source, parallelism: 2, configuration: {path: /t}}
                  - {name: b, operator: file-sink, parallelism: 2, configuration: {path: /s}}
                edges: [{from: a, to: b, partitioning: forward}]
                """);
        assertThat(problems(new VertexBounds("a", 1, 2, 2), new VertexBounds("b", 1, 1, 2)))
                .containsExactly(
                        new Problem("vertices.b", "1:1:2", "1:2:2, as 'a' has, from which a forward edge leads to it"));
    }

    @Test
    void c107_whatCannotBeStoredIsNotApplied() {
        plane.store.full = true;
        CompletionStage<RequirementsResult> failed = asked(OptionalLong.empty(), new VertexBounds("a", 1, 4, 8));
        assertThat(failed.toCompletableFuture())
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withMessageContaining("job " + job + " keeps its requirements")
                .withMessageContaining("may apply when its JobMaster starts again");
        assertThat(requirements()).contains(SUBMITTED);
        assertThat(told()).isEmpty();
        plane.store.full = false;
        assertThat(change(1, 4, 8)).isEqualTo(new RequirementsResult.Changed(bounds(2, 1, 4, 8)));
    }

    /** The store fails after it wrote: nobody knows which requirements a restart would find. */
    @Test
    void whatMayBeStoredIsOverwrittenByTheNextChange() throws IOException {
        plane.store.failAfter = plane.store.changes + 1;
        assertThat(asked(OptionalLong.empty(), new VertexBounds("a", 1, 4, 8)).toCompletableFuture())
                .isCompletedExceptionally();
        assertThat(requirements()).contains(SUBMITTED);
        assertThat(change(1, 2, 2))
                .as("also what it has")
                .isEqualTo(new RequirementsResult.Changed(bounds(2, 1, 2, 2)));
        plane.restart();
        assertThat(requirements()).contains(bounds(2, 1, 2, 2));
    }

    @Test
    void whatMayBeStoredAppliesWhenTheJobMasterStartsAgain() {
        plane.store.failAfter = plane.store.changes + 1;
        assertThat(asked(OptionalLong.empty(), new VertexBounds("a", 1, 4, 8)).toCompletableFuture())
                .isCompletedExceptionally();
        plane.cluster.lose(job);
        plane.timers.advance(60_000);
        assertThat(plane.cluster
                        .started
                        .get(plane.cluster.started.size() - 1)
                        .graph()
                        .bounds())
                .isEqualTo(bounds(2, 1, 4, 8));
        assertThat(requirements()).contains(bounds(2, 1, 4, 8));
    }

    /** The answer may have been lost. */
    @Test
    void theSameChangeTwiceIsNoConflict() {
        VertexBounds same = new VertexBounds("a", 1, 4, 8);
        change(OptionalLong.of(1), same);
        assertThat(change(OptionalLong.of(1), same)).isEqualTo(new RequirementsResult.Changed(bounds(2, 1, 4, 8)));
        assertThat(told()).hasSize(1);
    }

    @Test
    void aJobWhoseEndIsBeingStoredHasEnded() {
        plane.store.full = true;
        plane.cluster.details.put(job.value(), plane.details(job, JobStatus.FINISHED));
        plane.gateway().jobChanged(job, plane.cluster.jobMasterId(job), plane.details(job, JobStatus.FINISHED));
        plane.store.full = false;
        assertThat(change(1, 4, 8)).isEqualTo(new RequirementsResult.AlreadyEnded());
    }

    @Test
    void moreVerticesThanTheJobHasAreRefusedAtOnce() {
        assertThat(problems(new VertexBounds("a", 1, 1, 1), new VertexBounds("b", 1, 1, 1)))
                .containsExactly(new Problem("vertices", "2 vertices", "each of the 1 vertices of the job, once"));
        assertThat(problems(new VertexBounds("x".repeat(5_000), 1, 1, 1)).get(0).field())
                .hasSizeLessThan(200);
    }

    @Test
    void sinksThatWouldWriteTheSameFileAreRefused() {
        job = plane.submit("""
                name: sinks
                vertices:
                  - {name: a, operator: file-source, configuration: {path: /t}}
                  - {name: b, operator: file-sink, configuration: {path: /s, file: out.txt}}
                  - {name: c, operator: file-sink, configuration: {path: /s, file: out-1.txt}}
                edges: [{from: a, to: b, partitioning: rebalance}, {from: a, to: c, partitioning: rebalance}]
                """);
        List<Problem> problems = problems(
                new VertexBounds("a", 1, 1, 1), new VertexBounds("b", 1, 1, 2), new VertexBounds("c", 1, 1, 1));
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).field()).isEqualTo("vertices.c.configuration.file");
    }

    @Test
    void aChangeOutlivesTheDispatcherAndTheJobMaster() throws IOException {
        change(1, 4, 8);
        plane.restart();
        assertThat(requirements()).contains(bounds(2, 1, 4, 8));
        assertThat(told()).as("the JobMaster may not have been told").contains(bounds(2, 1, 4, 8));
        plane.restartAll();
        assertThat(plane.cluster
                        .started
                        .get(plane.cluster.started.size() - 1)
                        .graph()
                        .bounds())
                .isEqualTo(bounds(2, 1, 4, 8));
        assertThat(plane.job(job).vertices().get(0).maximum()).isEqualTo(8);
    }

    @Test
    void aJobMasterThatDoesNotAnswerIsToldAgain() {
        plane.cluster.boundsFailure = Optional.of(new RpcException(RpcException.Kind.UNREACHABLE, "a test"));
        change(1, 4, 8);
        assertThat(told()).isEmpty();
        change(1, 1, 1);
        plane.cluster.boundsFailure = Optional.empty();
        plane.timers.advance(2_000);
        assertThat(told()).containsExactly(bounds(3, 1, 1, 1));
    }

    @Test
    void aJobThatHasEndedAndOneThatIsNotKnownAreToldApart() {
        plane.report(job, JobStatus.FINISHED);
        assertThat(change(1, 1, 1)).isEqualTo(new RequirementsResult.AlreadyEnded());
        assertThat(requirements()).isEmpty();
        job = new JobId("nobody");
        assertThat(change(1, 1, 1)).isEqualTo(new RequirementsResult.Unknown());
    }
}
