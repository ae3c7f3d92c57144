package io.berth.core.dispatcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.dispatcher.FaultyCalls.InjectedFault;
import io.berth.core.dispatcher.bundle.TestBundles;
import io.berth.core.dispatcher.state.DispatcherSettings;
import io.berth.core.dispatcher.store.JobKey;
import io.berth.spi.JobId;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Calls that the Dispatcher makes throw: to the clock, timers, the store, the files of bundles, the role directory,
 * the role job-masters and JobMasters. Either the term continues, or it reports the failure and ends, and the next
 * term knows the same jobs. Clients and JobMasters repeat calls without an answer, as real ones do.
 */
class ThrowingCallsTest {

    private static final int MIN_CALLS = 150;
    private static final int SEEDS = 100;
    /** In the seeded runs, one call in this many fails. */
    private static final int RARE = 60;

    private static final int TRIES = 100;

    @TempDir
    Path directories;

    private byte[] bundle;

    @BeforeEach
    void bundle() throws IOException {
        bundle = TestBundles.bundle("words", "word-source");
    }

    private static final VertexBounds SCALED = new VertexBounds("a", 1, 2, 4);

    private final class Life {

        private final String name;
        private final Path directory;
        private final TestControlPlane plane;
        private final List<DispatcherTerm> ended = new ArrayList<>();
        private final List<CompletableFuture<?>> asked = new ArrayList<>();
        private boolean failed = true;

        Life(String name, IntPredicate before, IntPredicate after) {
            this.name = name;
            directory = directories.resolve(name);
            plane = new TestControlPlane(directory);
            plane.settings = new DispatcherSettings(1, true, 2_000);
            plane.failed = failure -> {
                assertThat(failure).as(name).isInstanceOf(InjectedFault.class);
                failed = true;
            };
            plane.calls.throwAt(before, after);
        }

        /** Does what the role does: ends a failed term and begins another one. */
        private void lead() {
            for (int i = 0; failed; i++) {
                assertThat(i).as("terms of %s that failed at once", name).isLessThan(TRIES);
                end();
                failed = false;
                try {
                    plane.start();
                } catch (InjectedFault failure) {
                    failed = true;
                } catch (IOException failure) {
                    throw new AssertionError(name, failure);
                }
            }
        }

        private void end() {
            if (plane.term != null) {
                ended.add(plane.term);
                try {
                    plane.term.close();
                } catch (InjectedFault failure) {
                    // The role logs it.
                }
                assertThat(asked).as("answers after a term of %s ended", name).allMatch(CompletableFuture::isDone);
            }
        }

        private void pass(long millis) {
            plane.timers.jump(millis);
            lead();
        }

        /** Repeats the question until it has the wanted answer. */
        private <T, R> R until(Supplier<CompletionStage<T>> question, Function<T, Optional<R>> wanted) {
            for (int i = 0; i < TRIES; i++) {
                lead();
                Optional<R> answer = answer(question).flatMap(wanted);
                if (answer.isPresent()) {
                    lead();
                    return answer.get();
                }
                pass(1_000);
            }
            throw new AssertionError(name + ": not answered as wanted");
        }

        private <T> Optional<T> answer(Supplier<CompletionStage<T>> question) {
            try {
                CompletableFuture<T> answer = question.get().toCompletableFuture();
                asked.add(answer);
                return answer.isDone() && !answer.isCompletedExceptionally()
                        ? Optional.of(answer.join())
                        : Optional.empty();
            } catch (InjectedFault failure) {
                return Optional.empty();
            }
        }

        private void upload() {
            until(
                    () -> {
                        try {
                            return CompletableFuture.completedFuture(plane.term
                                    .jobs()
                                    .storeBundle(TestBundles.hash(bundle), new ByteArrayInputStream(bundle)));
                        } catch (IOException | IllegalStateException failure) {
                            return CompletableFuture.failedFuture(failure);
                        }
                    },
                    Optional::of);
        }

        private JobId submit(String key) {
            String job = "{name: " + key + ", bundles: [" + TestBundles.hash(bundle)
                    + "], vertices: [{name: a, operator: word-source}]}";
            JobId id = until(() -> plane.term.jobs().submit(job, Optional.of(key)), result -> {
                if (result instanceof SubmitResult.Submitted submitted) {
                    return Optional.of(submitted.job());
                }
                return result instanceof SubmitResult.Repeated repeated
                        ? Optional.of(repeated.job())
                        : Optional.empty();
            });
            plane.cluster.details.put(id.value(), plane.details(id, JobStatus.CREATED));
            return id;
        }

        private void report(JobId id, JobStatus status) {
            JobDetails details = plane.details(id, status);
            plane.cluster.details.put(id.value(), details);
            until(
                    () -> plane.cluster.runs(id) && plane.cluster.dispatcher.isPresent()
                            ? plane.gateway().jobChanged(id, plane.cluster.jobMasterId(id), details)
                            : CompletableFuture.<Acknowledge>failedFuture(new IllegalStateException("no Dispatcher")),
                    Optional::of);
            if (status.isTerminal()) {
                plane.cluster.lose(id);
            }
        }

        /** The JobMaster learns of it, and it is what a later term finds. */
        private void scale(JobId id) {
            List<VertexBounds> bounds = List.of(SCALED);
            until(
                    () -> plane.term.jobs().changeRequirements(id, OptionalLong.empty(), bounds),
                    result -> Optional.of(result).filter(RequirementsResult.Changed.class::isInstance));
            for (int i = 0; !bounds.equals(told(id)); i++) {
                assertThat(i).as("%s: the JobMaster learns its bounds", name).isLessThan(TRIES);
                pass(5_000);
            }
        }

        private List<VertexBounds> told(JobId id) {
            List<ParallelismBounds> all = plane.cluster.bounds.getOrDefault(id.value(), List.of());
            return all.isEmpty() ? List.of() : all.get(all.size() - 1).vertices();
        }

        private List<JobDetails> jobs() {
            return until(() -> plane.term.jobs().jobs(), Optional::of);
        }

        private void untilItRunsAgain(JobId id) {
            for (int i = 0; !plane.cluster.runs(id); i++) {
                assertThat(i).as("%s: looks for the JobMaster of %s", name, id).isLessThan(TRIES);
                pass(5_000);
            }
        }

        /** @return the number of injected faults */
        int pass() throws IOException {
            lead();
            upload();
            JobId finishing = submit("finishing");
            JobId canceled = submit("canceled");
            JobId running = submit("running");
            List.of(finishing, canceled, running).forEach(id -> report(id, JobStatus.EXECUTING));
            assertThat(jobs()).as(name).extracting(JobDetails::id).containsExactly(finishing, canceled, running);
            List.of(finishing, canceled, running)
                    .forEach(id -> until(() -> plane.term.jobs().job(id), Function.identity()));
            scale(running);

            until(
                    () -> plane.term.jobs().cancel(canceled, "asked for"),
                    result -> Optional.of(result).filter(CancelResult.CANCELING::equals));
            for (int i = 0; !plane.cluster.canceled.containsKey(canceled.value()); i++) {
                assertThat(i).as("%s: cancel reaches the JobMaster", name).isLessThan(TRIES);
                pass(1_000);
            }
            report(canceled, JobStatus.CANCELED);

            plane.cluster.lose(running);
            untilItRunsAgain(running);
            failed = true;
            lead();
            plane.cluster.lead();
            lead();
            untilItRunsAgain(running);
            untilItRunsAgain(finishing);
            report(finishing, JobStatus.FINISHED);

            int faults = plane.calls.faults();
            plane.calls.stop();
            pass(10_000);
            check(running, canceled);
            failed = true;
            lead();
            check(running, canceled);
            assertThat(plane.store.records.keySet().stream()
                            .filter(key -> key.startsWith(JobKey.LIVE) || key.startsWith(JobKey.ENDED)))
                    .as("records of %s, once another term has begun", name)
                    .hasSize(2);
            JobId next = submit("next");
            assertThat(jobs()).as(name).extracting(JobDetails::id).containsExactly(canceled, running, next);
            report(next, JobStatus.FINISHED);
            report(running, JobStatus.FINISHED);
            pass(60_000);
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files.filter(file -> file.toString().endsWith(".jar")))
                        .as("%s: bundles that no job uses", name)
                        .isEmpty();
            }
            for (DispatcherTerm term : ended) {
                assertThat(term.jobs().cancel(next, "late").toCompletableFuture())
                        .as("P3, %s", name)
                        .isCompletedExceptionally();
            }
            return faults;
        }

        /** Checks that exactly the running job and the last ended one are known. */
        private void check(JobId running, JobId canceled) {
            report(running, JobStatus.EXECUTING);
            assertThat(jobs()).as(name).extracting(JobDetails::id).containsExactly(canceled, running);
            assertThat(jobs())
                    .as(name)
                    .extracting(JobDetails::status)
                    .containsExactly(JobStatus.CANCELED, JobStatus.EXECUTING);
            assertThat(plane.cluster.created)
                    .as("JobMasters of %s", name)
                    .containsEntry(canceled.value(), 1)
                    .containsEntry(running.value(), 3);
            assertThat(until(() -> plane.term.jobs().requirements(running), Function.identity())
                            .vertices())
                    .as("requirements of %s", name)
                    .containsExactly(SCALED);
            assertThat(asked).as("answers of %s", name).allMatch(CompletableFuture::isDone);
        }
    }

    @Test
    void F30_theJobsAreTheSameWhereverACallThrows() throws IOException {
        int call = 0;
        do {
            call++;
            new Life("after" + call, each -> false, faultyAt(call)).pass();
        } while (new Life("before" + call, faultyAt(call), each -> false).pass() > 0);
        assertThat(call).as("calls that threw").isGreaterThan(MIN_CALLS);
    }

    private static IntPredicate faultyAt(int call) {
        return each -> each == call;
    }

    @Test
    void F30_severalCallsThatThrowLoseNoJob() throws IOException {
        for (int seed = 1; seed <= SEEDS; seed++) {
            Random random = new Random(seed);
            new Life("seed" + seed, each -> random.nextInt(RARE) == 0, each -> random.nextInt(RARE) == 0).pass();
        }
    }
}
