package io.berth.core.policies.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.Stage;
import io.berth.core.policies.detached.DetachedDecision;
import io.berth.core.policies.detached.DetachedPlanner;
import io.berth.core.policies.detached.PolicyCalls;
import io.berth.core.policies.detached.RecordedAssignments;
import io.berth.core.policies.detached.RecordedCluster;
import io.berth.core.policies.detached.RecordedJobs;
import io.berth.core.policies.frame.AssignmentFrame;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.DecisionObservers;
import io.berth.core.policies.frame.ScalingFrame;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions are recorded in files of bounded size, and the files are read again. */
class DecisionJournalTest {

    private static final OptionalLong ALL = OptionalLong.empty();

    @TempDir
    private Path folder;

    private final DecisionObservers observers = new DecisionObservers();
    private final Deque<Runnable> actions = new ArrayDeque<>();
    private final SystemClock clock = new SystemClock();
    private boolean held;

    private DecisionJournal journal(int mebibytes) {
        DecisionJournal journal = new DecisionJournal(observers, clock, this::run);
        journal.settings(new JournalSettings(true, folder, mebibytes));
        return journal;
    }

    private void run(Runnable action) {
        actions.add(action);
        while (!held && !actions.isEmpty()) {
            actions.remove().run();
        }
    }

    private static byte[] exported(DecisionJournal journal, OptionalLong from, OptionalLong to) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        journal.export(from, to, out);
        return out.toByteArray();
    }

    private static List<JournalReader.Entry> read(byte[] bytes) throws IOException {
        JournalReader reader = new JournalReader(new ByteArrayInputStream(bytes));
        List<JournalReader.Entry> entries = new ArrayList<>();
        for (Optional<JournalReader.Entry> entry = reader.next(); entry.isPresent(); entry = reader.next()) {
            entries.add(entry.get());
        }
        return entries;
    }

    private static List<DecisionFrame> frames(byte[] bytes) throws IOException {
        return read(bytes).stream()
                .filter(JournalReader.Entry.Frame.class::isInstance)
                .map(entry -> (DecisionFrame) ((JournalReader.Entry.Frame) entry).frame())
                .toList();
    }

    private static void assertAgain(RecordedCluster recorded, List<DecisionFrame> frames) throws Exception {
        DetachedPlanner planner = new DetachedPlanner(
                RecordedCluster.POOL, recorded.again(), PolicyCalls.direct(), new SystemClock(), Runnable::run);
        for (DecisionFrame frame : frames) {
            DetachedDecision made = planner.decide(frame).toCompletableFuture().get();
            assertThat(made.failures()).isEmpty();
            assertThat(JournalFormat.bytes(made.outcome(), made.reviewMillis()))
                    .as("frame %s", frame.sequence())
                    .isEqualTo(JournalFormat.bytes(
                            frame.result().outcome(), frame.result().reviewMillis()));
        }
    }

    @Test
    void whatWasRecordedIsMadeAgainBitByBit() throws Exception {
        for (long seed = 21; seed < 26; seed++) {
            RecordedCluster recorded = new RecordedCluster(seed, 30);
            recorded.decide(300);
            DecisionJournal journal = journal(8);
            recorded.frames().forEach(journal::decided);
            List<DecisionFrame> frames = frames(exported(journal, ALL, ALL));
            assertThat(frames).hasSize(300);
            assertThat(JournalFormat.bytes(
                            frames.get(299).result().outcome(),
                            frames.get(299).result().reviewMillis()))
                    .isEqualTo(JournalFormat.bytes(
                            recorded.frames().get(299).result().outcome(),
                            recorded.frames().get(299).result().reviewMillis()));
            assertAgain(recorded, frames);
            journal.close();
            for (Path segment : JournalFiles.segments(folder)) {
                Files.delete(segment);
            }
        }
    }

    @Test
    void otherDecisionsAreRecordedBesideThoseOfPoolsAndMadeAgainBitByBit() throws Exception {
        RecordedCluster cluster = new RecordedCluster(27, 30);
        cluster.decide(200);
        RecordedJobs jobs = new RecordedJobs(28, 8);
        jobs.decide(200);
        RecordedAssignments assignments = new RecordedAssignments(29);
        assignments.decide(200);
        DecisionJournal journal = journal(8);
        for (int nth = 0; nth < 200; nth++) {
            journal.decided(cluster.frames().get(nth));
            journal.scaled(jobs.frames().get(nth));
            journal.assigned(assignments.frames().get(nth));
        }
        List<JournalReader.Entry> entries = read(exported(journal, ALL, ALL));
        assertThat(entries).hasSize(600);
        for (int nth = 0; nth < 200; nth++) {
            ScalingFrame frame = (ScalingFrame) ((JournalReader.Entry.Frame) entries.get(3 * nth + 1)).frame();
            assertThat(frame).isEqualTo(jobs.frames().get(nth));
            assertThat(JournalFormat.bytes(jobs.again(frame).outcome()))
                    .isEqualTo(JournalFormat.bytes(frame.outcome()));
            AssignmentFrame assignment =
                    (AssignmentFrame) ((JournalReader.Entry.Frame) entries.get(3 * nth + 2)).frame();
            assertThat(assignment).isEqualTo(assignments.frames().get(nth));
            assertThat(JournalFormat.bytes(assignments.again(assignment).outcome()))
                    .isEqualTo(JournalFormat.bytes(assignment.outcome()));
        }
        journal.close();
    }

    @Test
    void scalingDecisionsThatFindNoRoomAreAGapOfTheirOwn() throws Exception {
        RecordedJobs jobs = new RecordedJobs(29, 3);
        jobs.decide(10);
        DecisionJournal journal = new DecisionJournal(observers, clock, this::run, 1, 50_000);
        journal.settings(new JournalSettings(true, folder, 8));
        held = true;
        jobs.frames().subList(0, 5).forEach(journal::scaled);
        held = false;
        run(() -> {});
        journal.scaled(jobs.frames().get(5));
        List<JournalReader.Entry> entries = read(exported(journal, ALL, ALL));
        assertThat(entries)
                .containsExactly(
                        new JournalReader.Entry.Frame(jobs.frames().get(0)),
                        new JournalReader.Entry.Gap(DecisionType.SCALING, "", 4),
                        new JournalReader.Entry.Frame(jobs.frames().get(5)));
        journal.close();
    }

    @Test
    void anExportEndsAfterItsLastDecisionWhenTheOrderIsAnother() throws Exception {
        RecordedJobs jobs = new RecordedJobs(30, 3);
        jobs.decide(40);
        List<ScalingFrame> made =
                jobs.frames().stream().filter(frame -> frame.decision() > 0).toList();
        DecisionJournal journal = journal(8);
        journal.scaled(made.get(1));
        journal.scaled(made.get(0));
        journal.scaled(made.get(2));
        List<JournalReader.Entry> entries =
                read(exported(journal, ALL, OptionalLong.of(made.get(0).decision())));
        assertThat(entries)
                .containsExactly(
                        new JournalReader.Entry.Frame(made.get(1)), new JournalReader.Entry.Frame(made.get(0)));
        journal.close();
    }

    @Test
    void theFilesAreBoundedAndWhatIsLeftCanBeReplayed() throws Exception {
        RecordedCluster recorded = new RecordedCluster(31, 10);
        recorded.decide(600);
        DecisionJournal journal = journal(1);
        for (int time = 0; time < 6; time++) {
            recorded.frames().forEach(journal::decided);
        }
        long bytes = 0;
        for (Path segment : JournalFiles.segments(folder)) {
            bytes += Files.size(segment);
        }
        assertThat(bytes).isBetween(600_000L, 1_100_000L);
        List<DecisionFrame> frames = frames(exported(journal, ALL, ALL));
        assertThat(frames).hasSizeLessThan(3_600);
        int first = 0;
        while (frames.get(first).before().isEmpty()) {
            first++;
        }
        assertThat(first).as("frames of the oldest file before its first state").isLessThan(20);
        assertAgain(recorded, frames.subList(first, frames.size()));
        journal.close();
    }

    @Test
    void aFileEndsBeforeItRefersToTooManyValues() throws Exception {
        RecordedCluster recorded = new RecordedCluster(35, 10);
        recorded.decide(600);
        DecisionJournal journal = new DecisionJournal(observers, clock, this::run, 1_000_000, 100);
        journal.settings(new JournalSettings(true, folder, 1_024));
        recorded.frames().forEach(journal::decided);
        assertThat(JournalFiles.segments(folder)).hasSizeBetween(3, 60);
        List<DecisionFrame> frames = frames(exported(journal, ALL, ALL));
        assertThat(frames).hasSize(600);
        assertAgain(recorded, frames);
        journal.close();
    }

    @Test
    void anExportBeginsAtAStateBeforeADecisionAndEndsAfterOne() throws Exception {
        RecordedCluster recorded = new RecordedCluster(32, 10);
        recorded.decide(1_500);
        DecisionJournal journal = journal(1);
        recorded.frames().forEach(journal::decided);
        assertThat(JournalFiles.segments(folder)).hasSizeGreaterThan(2);
        long last = recorded.frames().stream()
                .mapToLong(DecisionFrame::decision)
                .max()
                .orElseThrow();
        List<DecisionFrame> frames = frames(exported(journal, OptionalLong.of(last - 5), OptionalLong.of(last - 2)));
        assertThat(frames.get(frames.size() - 1).decision()).isEqualTo(last - 2);
        assertThat(frames).hasSizeLessThan(1_000);
        assertThat(frames.stream().map(DecisionFrame::decision)).contains(last - 5);
        journal.close();
    }

    @Test
    void numbersGoOnWhenTheSettingsChange() throws Exception {
        RecordedCluster recorded = new RecordedCluster(33, 10);
        recorded.decide(200);
        List<DecisionFrame> all = recorded.frames();
        DecisionJournal journal = journal(1);
        all.subList(0, 100).forEach(journal::decided);
        journal.settings(new JournalSettings(true, folder, 2));
        all.subList(100, all.size()).forEach(journal::decided);
        long early = all.stream()
                .mapToLong(DecisionFrame::decision)
                .filter(decision -> decision > 0)
                .min()
                .orElseThrow();
        assertThat(frames(exported(journal, OptionalLong.of(early), OptionalLong.of(early))))
                .extracting(DecisionFrame::decision)
                .contains(early);
        journal.close();
    }

    @Test
    void decisionsThatAreNotRecordedAnyMoreAreRefused() throws Exception {
        RecordedCluster recorded = new RecordedCluster(34, 10);
        recorded.decide(200);
        DecisionJournal journal = journal(1);
        List<DecisionFrame> late =
                recorded.frames().subList(150, recorded.frames().size());
        late.forEach(journal::decided);
        assertThatThrownBy(() -> exported(journal, OptionalLong.empty(), OptionalLong.of(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("decision 1 is no longer recorded: the oldest one is ");
        journal.close();
        DecisionJournal next = journal(1);
        assertThatThrownBy(() -> exported(next, OptionalLong.of(1), OptionalLong.empty()))
                .as("of an earlier start")
                .hasMessageContaining("no decisions are recorded since the control plane started");
        assertThat(frames(exported(next, ALL, ALL))).hasSize(late.size());
        next.close();
    }

    @Test
    void whatDoesNotFitIntoTheQueueIsAGapAndTheNextStateGoesOn() throws Exception {
        RecordedCluster recorded = new RecordedCluster(33, 1_000_000);
        recorded.decide(60);
        DecisionJournal journal = new DecisionJournal(observers, clock, this::run, 1_000, 50_000);
        journal.settings(new JournalSettings(true, folder, 8));
        List<DecisionFrame> frames = recorded.frames();
        assertThat(journal.needsState("default")).isTrue();
        journal.decided(frames.get(0));
        assertThat(journal.needsState("default")).isFalse();
        held = true;
        int accepted = 0;
        while (!journal.needsState("default")) {
            journal.decided(frames.get(1));
            accepted++;
        }
        journal.decided(frames.get(2));
        held = false;
        run(() -> {});
        journal.decided(frames.get(0));
        List<JournalReader.Entry> entries = read(exported(journal, ALL, ALL));
        assertThat(entries.get(accepted)).isEqualTo(new JournalReader.Entry.Gap(DecisionType.PLACEMENT, "default", 2));
        assertThat(entries).hasSize(1 + accepted - 1 + 1 + 1);
        journal.close();
    }

    @Test
    void aDiskThatFailsDoesNotEndTheJournal() throws Exception {
        RecordedCluster recorded = new RecordedCluster(34, 1);
        recorded.decide(10);
        Stage time = new Stage();
        DecisionJournal journal = new DecisionJournal(observers, time, this::run);
        Path broken = folder.resolve("broken");
        Files.writeString(broken, "a file in the place of the folder");
        journal.settings(new JournalSettings(true, broken, 8));
        journal.decided(recorded.frames().get(0));
        journal.decided(recorded.frames().get(1));
        assertThat(journal.needsState("default")).isTrue();
        Files.delete(broken);
        time.advance(10_001);
        journal.decided(recorded.frames().get(2));
        List<JournalReader.Entry> entries = read(exported(journal, ALL, ALL));
        assertThat(entries.get(0)).isEqualTo(new JournalReader.Entry.Gap(DecisionType.PLACEMENT, "default", 2));
        assertThat(entries).hasSize(2);
        journal.close();
    }

    @Test
    void theLastDecisionsAreWrittenAtAStop() throws Exception {
        RecordedCluster recorded = new RecordedCluster(35, 1_000);
        recorded.decide(20);
        DecisionJournal journal = journal(8);
        held = true;
        recorded.frames().forEach(journal::decided);
        held = false;
        journal.close();
        assertThat(observers.isEmpty()).isTrue();
        DecisionJournal next = journal(8);
        assertThat(frames(exported(next, ALL, ALL))).hasSize(20);
        next.close();
    }

    @Test
    void nothingIsRecordedWhileItIsOff() throws Exception {
        DecisionJournal journal = new DecisionJournal(observers, clock, this::run);
        journal.settings(new JournalSettings(false, folder, 8));
        assertThat(observers.isEmpty()).isTrue();
        assertThatThrownBy(() -> exported(journal, ALL, ALL))
                .hasMessage("no decisions are recorded: set decisions.journal = true in"
                        + " etc/io.berth.core.policies.cfg");
        journal.settings(new JournalSettings(true, folder, 8));
        assertThat(observers.isEmpty()).isFalse();
        journal.settings(new JournalSettings(false, folder, 8));
        assertThat(observers.isEmpty()).isTrue();
        assertThatThrownBy(() -> new JournalSettings(true, folder, 0))
                .hasMessage("decisions.journal.mib is 0: 1 to 1048576 is allowed");
    }
}
