package io.berth.core.dispatcher.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobStatus;
import io.berth.core.dispatcher.TestControlPlane;
import io.berth.core.dispatcher.description.DescriptionParser;
import io.berth.core.dispatcher.description.DescriptionParserTest;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.SubmissionOrder.SupersededException;
import io.berth.spi.JobId;
import io.berth.spi.ha.MetadataStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Terms that follow each other on one store, some of which do not know it yet. */
class JobStoreTest {

    private static final PreviousRuns PAST = new PreviousRuns(
            5, 1, 0, List.of(new Transition(7, JobStatus.RESTARTING, "started again")), JobEvents.NONE);

    private final MemoryStore memory = new MemoryStore();
    private JobStore.Recovered found;

    private JobStore term(long epoch) throws IOException {
        JobStore store = new JobStore(memory, epoch);
        found = store.recover();
        return store;
    }

    private static LiveJob job(String id, long epoch, long place) {
        return new LiveJob(
                DescriptionParser.parse(TestControlPlane.JOB, DescriptionParserTest.CATALOG)
                        .draft()
                        .orElseThrow()
                        .toGraph(new JobId(id), place),
                epoch,
                1_000,
                Optional.empty(),
                PreviousRuns.NONE,
                Optional.empty());
    }

    private static LiveJob accept(JobStore store, String id, long epoch) throws IOException {
        return store.accept(new JobId(id), place -> job(id, epoch, place));
    }

    private static JobDetails failed(LiveJob job) {
        return new JobRecord(job, false).ended(JobStatus.FAILED, "lost", 9);
    }

    private long version(LiveJob job) {
        return memory.records.get(job.key().live()).version();
    }

    @Test
    void aResultOfAJobThatWasStartedAgainIsVoid() throws IOException {
        LiveJob job = accept(term(1), "a", 1);
        long before = version(job);
        JobStore next = term(2);
        next.keep(job.key().id(), PAST);
        // The first one was paused after it had confirmed its lead, and now continues.
        memory.write(
                job.key().ended(), MetadataStore.ABSENT, new EndedJob(before, Optional.empty(), failed(job)).bytes());

        term(3);
        assertThat(found.live()).containsExactly(job.with(PAST));
        assertThat(found.ended()).isEmpty();
        assertThat(memory.records).doesNotContainKey(job.key().ended());
    }

    @Test
    void theEndOfAJobReplacesAVoidResult() throws IOException {
        LiveJob job = accept(term(1), "a", 1);
        JobStore next = term(2);
        memory.write(job.key().ended(), MetadataStore.ABSENT, new EndedJob(77, Optional.empty(), failed(job)).bytes());
        JobDetails canceled = new JobRecord(job, false).ended(JobStatus.CANCELED, "by hand", 9);
        next.end(job.key().id(), canceled);

        term(3);
        assertThat(found.live()).isEmpty();
        assertThat(found.ended()).containsExactly(Map.entry(job.key(), canceled));
    }

    @Test
    void aCrashBetweenResultAndRemovalLeavesTheResult() throws IOException {
        LiveJob job = accept(term(1), "a", 1);
        memory.write(
                job.key().ended(),
                MetadataStore.ABSENT,
                new EndedJob(version(job), Optional.empty(), failed(job)).bytes());

        term(2);
        assertThat(found.live()).isEmpty();
        assertThat(found.ended()).containsKey(job.key());
        assertThat(memory.records).doesNotContainKey(job.key().live());
    }

    @Test
    void aFailedChangeThatWasStoredIsReadBeforeTheNextOne() throws IOException {
        JobStore store = term(1);
        LiveJob job = accept(store, "a", 1);
        memory.failAfter = memory.changes + 1;
        assertThatThrownBy(() -> store.keep(job.key().id(), PAST)).isInstanceOf(IOException.class);

        assertThat(store.cancel(job.key().id(), "by hand"))
                .contains(job.with(PAST).canceled("by hand"));
        term(2);
        assertThat(found.live()).containsExactly(job.with(PAST).canceled("by hand"));
    }

    @Test
    void aCancelThatAnotherDispatcherStoredIsNotLost() throws IOException {
        LiveJob job = accept(term(1), "a", 1);
        JobStore next = term(2);
        memory.write(
                job.key().live(), version(job), job.canceled("at the old one").bytes());

        assertThat(next.keep(job.key().id(), PAST))
                .contains(job.canceled("at the old one").with(PAST));
        assertThat(next.cancel(job.key().id(), "again"))
                .contains(job.canceled("at the old one").with(PAST));
    }

    @Test
    void aJobThatEndedElsewhereIsNotChanged() throws IOException {
        LiveJob job = accept(term(1), "a", 1);
        JobStore next = term(2);
        memory.delete(job.key().live(), version(job));

        assertThat(next.keep(job.key().id(), PAST)).isEmpty();
        next.end(job.key().id(), failed(job));
        assertThat(memory.records).doesNotContainKey(job.key().ended());
    }

    @Test
    void aRecordThatALateDispatcherWroteAtAUsedPlaceIsDropped() throws IOException {
        term(1);
        JobStore next = term(2);
        LiveJob job = accept(next, "a", 2);
        next.end(job.key().id(), failed(job));
        next.forget(job.key());
        // It was paused just before it accepted its job at the first place.
        LiveJob late = job("late", 1, 1);
        memory.write(late.key().live(), MetadataStore.ABSENT, late.bytes());

        term(3);
        assertThat(found.live()).isEmpty();
        assertThat(memory.records.keySet()).containsExactly(Submissions.KEY);
    }

    @Test
    void f14_aCancelDuringTheStartOfAnotherDispatcherIsNotAnswered() throws IOException {
        JobStore store = term(1);
        LiveJob job = accept(store, "a", 1);
        memory.beforeNextChange(() -> term(2));

        assertThatThrownBy(() -> store.cancel(job.key().id(), "by hand")).isInstanceOf(SupersededException.class);
    }

    @Test
    void f14_anEndDuringTheStartOfAnotherDispatcherIsReportedThereAgain() throws IOException {
        JobStore store = term(1);
        LiveJob job = accept(store, "a", 1);
        JobStore[] next = new JobStore[1];
        memory.beforeNextChange(() -> next[0] = term(2));

        assertThatThrownBy(() -> store.end(job.key().id(), failed(job))).isInstanceOf(SupersededException.class);
        assertThat(found.live()).containsExactly(job);
        next[0].end(job.key().id(), failed(job));
        term(3);
        assertThat(found.live()).isEmpty();
        assertThat(found.ended()).containsOnlyKeys(job.key());
    }

    @Test
    void f14_aJobAcceptedDuringTheStartOfAnotherDispatcherIsDropped() throws IOException {
        JobStore store = term(1);
        memory.beforeNextChange(() -> term(2));

        assertThatThrownBy(() -> accept(store, "a", 1)).isInstanceOf(SupersededException.class);
        assertThat(memory.records.keySet()).containsExactly(Submissions.KEY);
        assertThat(accept(term(3), "b", 3).graph().submissionIndex()).isEqualTo(1);
    }

    @Test
    void aResultTooLargeForTheStoreIsStoredShortened() throws IOException {
        JobStore store = term(1);
        LiveJob job = accept(store, "a", 1);
        JobDetails details = new JobRecord(job, false).ended(JobStatus.FAILED, "x".repeat(2_000), 9);
        memory.maxValueBytes = 2_000;
        store.end(job.key().id(), details);

        term(2);
        assertThat(found.ended().get(job.key()).reason()).hasSize(1_000);
        assertThat(found.ended().get(job.key()).submissionIndex()).isEqualTo(1);
    }

    @Test
    void recordsThatBelongToNoJobAreIgnored() throws IOException {
        memory.write("dispatcher/jobs/readme", MetadataStore.ABSENT, new byte[] {1});
        memory.write("policies/choice/matching", MetadataStore.ABSENT, new byte[] {1});

        term(1);
        assertThat(found.live()).isEmpty();
        assertThat(found.damaged()).isEmpty();
        assertThat(memory.records).containsKeys("dispatcher/jobs/readme", "policies/choice/matching");
    }

    @Test
    void aRecordThatCannotBeReadFinallyCountsAsDamaged() throws IOException {
        JobStore store = term(1);
        LiveJob job = accept(store, "a", 1);
        LiveJob other = accept(store, "b", 1);
        memory.silentRecords.add(other.key().live());

        JobStore next = new JobStore(memory, 2);
        for (int i = 0; i < JobStore.MAX_READ_FAILURES; i++) {
            assertThatThrownBy(next::recover).hasMessageContaining("does not answer");
        }
        found = next.recover();
        assertThat(found.live()).containsExactly(job);
        assertThat(found.damaged()).extracting(JobStore.Damaged::key).containsExactly(other.key());
    }
}
