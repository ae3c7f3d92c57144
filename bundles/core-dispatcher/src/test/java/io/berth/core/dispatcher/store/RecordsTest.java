package io.berth.core.dispatcher.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.Waiting;
import io.berth.core.dispatcher.description.DescriptionParser;
import io.berth.core.dispatcher.description.DescriptionParserTest;
import io.berth.core.dispatcher.state.JobRecord;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.core.dispatcher.store.Submissions.Term;
import io.berth.spi.JobId;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The records of the job store as bytes. */
class RecordsTest {

    private static LiveJob live() {
        JobGraph graph = DescriptionParser.parse(DescriptionParserTest.GOOD, DescriptionParserTest.CATALOG)
                .draft()
                .orElseThrow()
                .toGraph(new JobId("word-count-abcde"), 7);
        return new LiveJob(
                graph,
                3,
                1_000,
                Optional.of("by h\u00e4nd"),
                new PreviousRuns(5, 2, 1, List.of(new Transition(4, JobStatus.RESTARTING, "lost")), JobEvents.NONE),
                Optional.of("key-1"));
    }

    private static EndedJob ended() {
        LiveJob job = live();
        JobDetails details = new JobRecord(job, true).ended(JobStatus.FAILED, "because", 9);
        return new EndedJob(
                12,
                Optional.of("key-1"),
                details.toBuilder()
                        .priority(-5)
                        .submitter("ann")
                        .expectedRuntimeMillis(60_000)
                        .runtimeLearnedFrom(3)
                        .submittedMillis(1)
                        .startedMillis(2)
                        .endedMillis(3)
                        .restarts(4)
                        .rescales(5)
                        .runMillis(6)
                        .slots(List.of())
                        .counters(new TreeMap<>(java.util.Map.of("words", -7L)))
                        .waiting(Waiting.NOT)
                        .build());
    }

    @Test
    void aJobReadsAsItWasWritten() throws UnreadableRecordException {
        assertThat(LiveJob.read(live().bytes())).isEqualTo(live());
        assertThat(EndedJob.read(ended().bytes())).isEqualTo(ended());
        assertThat(EndedJob.read(ended().shortened().bytes()).details().status())
                .isEqualTo(JobStatus.FAILED);
        Submissions submissions = new Submissions(8, List.of(new Term(1, 1), new Term(3, 5)));
        assertThat(Submissions.read(submissions.bytes())).isEqualTo(submissions);
    }

    @Test
    void parametersAndConstraintsReadAsTheyWereWritten() throws UnreadableRecordException {
        JobGraph graph = DescriptionParser.parse("""
                        name: j
                        submitter: ann
                        expectedRuntime: 90min
                        policies: {scaling: {name: reactive, pause: 3}}
                        vertices: [{name: a, operator: file-source, slotSharingGroup: g, configuration: {path: /t}}]
                        slotSharingGroups:
                          - name: g
                            constraints:
                              require: [{label: zone, in: [a, b]}, {label: ssd, exists: true}]
                              prefer: [{label: memory, greater: 64, weight: 3}]
                              tolerate: [{taint: gpu}, {taint: team, value: etl}]
                              spread: {label: zone, maxSkew: 2}
                        """, DescriptionParserTest.CATALOG)
                .draft()
                .orElseThrow()
                .toGraph(new JobId("j-1"), 1);
        LiveJob job = new LiveJob(graph, 1, 1, Optional.empty(), PreviousRuns.NONE, Optional.empty());
        assertThat(LiveJob.read(job.bytes())).isEqualTo(job);
    }

    @Test
    void aLearnedRunTimeReadsAsItWasWritten() throws UnreadableRecordException {
        JobGraph stated = live().graph();
        JobGraph learned = new JobGraph(
                stated.id(),
                stated.name(),
                stated.submissionIndex(),
                stated.attributes().withLearnedRuntime(5_000, 4),
                stated.policies(),
                stated.bundles(),
                stated.vertices(),
                stated.edges(),
                stated.groups());
        LiveJob job = new LiveJob(learned, 1, 1, Optional.empty(), PreviousRuns.NONE, Optional.empty());
        assertThat(LiveJob.read(job.bytes())).isEqualTo(job);
        assertThat(LiveJob.read(job.bytes()).graph().attributes().runtimeLearnedFrom())
                .isEqualTo(4);
    }

    /** Written from {@link #live} and {@link #ended} by the code before run times were learned. */
    @Test
    void recordsWithoutLearnedRunTimesAreRead() throws Exception {
        assertThat(LiveJob.read(resource("live-format-5.record"))).isEqualTo(live());
        assertThat(EndedJob.read(resource("ended-format-3.record")))
                .isEqualTo(new EndedJob(
                        12,
                        Optional.of("key-1"),
                        ended().details().toBuilder().runtimeLearnedFrom(0).build()));
    }

    /** Written from {@link #live} by the code before requirements could change. */
    @Test
    void recordsOfJobsWhoseRequirementsNeverChangedAreRead() throws Exception {
        assertThat(LiveJob.read(resource("live-format-6.record"))).isEqualTo(live());
    }

    /** Written from {@link #live} and {@link #ended} by the code before failures and rescales were kept. */
    @Test
    void recordsWithoutFailuresAndRescalesAreRead() throws Exception {
        assertThat(LiveJob.read(resource("live-format-7.record"))).isEqualTo(live());
        assertThat(EndedJob.read(resource("ended-format-4.record"))).isEqualTo(ended());
    }

    /** Written from {@link #live} by the code before vertices had a runtime, and edges inputs and outputs. */
    @Test
    void recordsWithoutRuntimesAndEndsOfEdgesAreRead() throws Exception {
        assertThat(LiveJob.read(resource("live-format-8.record"))).isEqualTo(live());
    }

    @Test
    void inputsAndOutputsOfEdgesReadAsTheyWereWritten() throws UnreadableRecordException {
        JobGraph graph = live().graph();
        List<JobEdge> edges = List.of(
                new JobEdge("read", "split", Partitioning.HASH, Exchange.BLOCKING, 2, "late"),
                new JobEdge("read", "split", Partitioning.FORWARD));
        JobGraph other = new JobGraph(
                graph.id(),
                graph.name(),
                graph.submissionIndex(),
                graph.attributes(),
                graph.policies(),
                graph.bundles(),
                graph.vertices(),
                edges,
                graph.groups());
        LiveJob job = new LiveJob(other, 1, 1, Optional.empty(), PreviousRuns.NONE, Optional.empty());
        assertThat(LiveJob.read(job.bytes())).isEqualTo(job);
        assertThat(LiveJob.read(job.bytes()).graph().edges()).isEqualTo(edges);
    }

    @Test
    void theRuntimeOfAVertexReadsAsItWasWritten() throws UnreadableRecordException {
        LiveJob job = live();
        JobGraph graph = DescriptionParser.parse("""
                        name: train
                        vertices:
                          - {name: train, runtime: process, configuration: {command: ./train}}
                        """, DescriptionParserTest.CATALOG)
                .draft()
                .orElseThrow()
                .toGraph(job.graph().id(), 7);
        LiveJob train = new LiveJob(
                graph, job.epoch(), job.submittedMillis(), Optional.empty(), job.past(), job.submissionKey());

        assertThat(LiveJob.read(train.bytes())).isEqualTo(train);
        assertThat(LiveJob.read(train.bytes()).graph().vertex("train").runtime())
                .isEqualTo("process");
    }

    @Test
    void failuresAndRescalesReadAsTheyWereWritten() throws UnreadableRecordException {
        TaskFailure failure = new TaskFailure(5, "count[3]", "w1", "no such file", "java.io.IOException\n\tat Source");
        JobRescale rescale = new JobRescale(
                6,
                Kind.RESCALE,
                "more slots",
                "scaling reactive",
                List.of(new Change("count", 2, 3)),
                List.of(new Change("default", 2, 3)),
                List.of(new Phase(JobStatus.RESTARTING, 7), new Phase(JobStatus.EXECUTING, 8)),
                Outcome.UNDER_WAY);
        JobEvents events =
                new JobEvents(List.of(new JobFailure(1, failure, List.of(failure, failure), 9)), List.of(rescale));
        EndedJob ended = ended();
        EndedJob failed = new EndedJob(
                ended.basis(),
                ended.submissionKey(),
                ended.details().toBuilder().events(events).build());
        assertThat(EndedJob.read(failed.bytes())).isEqualTo(failed);
        assertThat(failed.shortened().details().events()).isEqualTo(JobEvents.NONE);

        PreviousRuns past = PreviousRuns.of(failed.details(), 10, "no heartbeat");
        LiveJob live = live().with(past);
        assertThat(LiveJob.read(live.bytes())).isEqualTo(live);
        assertThat(past.events().failures().get(0).cause().stack())
                .as("the record of a live job is written again with each change")
                .isEmpty();
        assertThat(past.events().rescales()).extracting(JobRescale::outcome).containsExactly(Outcome.JOB_MASTER_LOST);
        assertThat(past.with(failed.details()).events().failures())
                .as("those of all JobMasters")
                .hasSize(2);
    }

    @Test
    void changedRequirementsReadAsTheyWereWritten() throws UnreadableRecordException {
        List<VertexBounds> vertices = live().graph().bounds().vertices().stream()
                .map(vertex -> new VertexBounds(vertex.vertex(), 2, 3, 5))
                .toList();
        LiveJob changed = live().with(new ParallelismBounds(4, vertices));
        assertThat(LiveJob.read(changed.bytes())).isEqualTo(changed);
        assertThat(LiveJob.read(changed.bytes()).graph().bounds()).isEqualTo(new ParallelismBounds(4, vertices));
    }

    @Test
    void f41_allDamageIsDetected() {
        for (byte[] whole : List.of(live().bytes(), ended().bytes())) {
            for (int length = 0; length < whole.length; length++) {
                byte[] torn = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> LiveJob.read(torn)).isInstanceOf(UnreadableRecordException.class);
            }
            for (int bit = 0; bit < whole.length * 8; bit++) {
                byte[] flipped = whole.clone();
                flipped[bit / 8] ^= (byte) (1 << bit % 8);
                assertThatThrownBy(() -> EndedJob.read(flipped)).isInstanceOf(UnreadableRecordException.class);
            }
            byte[] longer = Arrays.copyOf(whole, whole.length + 1);
            assertThatThrownBy(() -> LiveJob.read(longer)).isInstanceOf(UnreadableRecordException.class);
        }
    }

    @Test
    void f45_aFormatOfAnotherReleaseIsReported() {
        RecordWriter out = new RecordWriter(10);
        out.text("whatever it may be");

        assertThatThrownBy(() -> LiveJob.read(out.bytes()))
                .hasMessage(
                        "has format 10, and this release reads formats 1 to 9: run the release that wrote it, or a newer one");
    }

    /** The code of 0.1.0, commit 670908d, wrote these files from {@link #live} and {@link #ended}. */
    @Test
    void recordsOfRelease010AreRead() throws Exception {
        LiveJob live = LiveJob.read(resource("live-0.1.0.record"));
        EndedJob ended = EndedJob.read(resource("ended-0.1.0.record"));
        Submissions submissions = Submissions.read(resource("submissions-0.1.0.record"));

        LiveJob expected = live();
        assertThat(live)
                .isEqualTo(new LiveJob(
                        expected.graph(),
                        expected.epoch(),
                        expected.submittedMillis(),
                        expected.cancelCause(),
                        expected.past(),
                        Optional.empty()));
        assertThat(ended.submissionKey()).isEmpty();
        assertThat(ended.basis()).isEqualTo(12);
        assertThat(ended.details())
                .isEqualTo(ended().details().toBuilder()
                        .submitter("")
                        .expectedRuntimeMillis(0)
                        .runtimeLearnedFrom(0)
                        .build());
        assertThat(submissions).isEqualTo(new Submissions(8, List.of(new Term(1, 1), new Term(3, 5))));
        assertThat(LiveJob.read(live.bytes()))
                .as("written again in the current format")
                .isEqualTo(live);
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = RecordsTest.class.getResourceAsStream("/records/" + name)) {
            return in.readAllBytes();
        }
    }

    @Test
    void theContentOfAnotherRecordIsRefused() {
        assertThatThrownBy(() -> LiveJob.read(ended().bytes())).isInstanceOf(UnreadableRecordException.class);
        RecordWriter out = new RecordWriter(1);
        out.number(0);
        out.count(0);
        assertThatThrownBy(() -> Submissions.read(out.bytes())).hasMessageContaining("at least 1 is allowed");
        RecordWriter negative = new RecordWriter(1);
        negative.number(1);
        negative.count(-1);
        assertThatThrownBy(() -> Submissions.read(negative.bytes())).hasMessageContaining("a count of -1");
    }

    @Test
    void onlyAJobAcceptedInTimeIsCovered() {
        Submissions order = new Submissions(9, List.of(new Term(1, 1), new Term(3, 5), new Term(4, 7)));

        assertThat(order.covers(1, 4)).isTrue();
        assertThat(order.covers(1, 5)).as("the next Dispatcher had begun").isFalse();
        assertThat(order.covers(3, 5)).isTrue();
        assertThat(order.covers(3, 7)).isFalse();
        assertThat(order.covers(4, 8)).isTrue();
        assertThat(order.covers(4, 9)).as("it was written but not accepted").isFalse();
    }

    @Test
    void keysContainPlaceAndJobInTheOrderOfSubmission() {
        JobKey ninth = new JobKey(9, new JobId("b-1"));
        JobKey tenth = new JobKey(10, new JobId("a-1"));

        assertThat(JobKey.parse(ninth.live())).contains(ninth);
        assertThat(JobKey.parse(tenth.ended())).contains(tenth);
        assertThat(ninth.live()).isLessThan(tenth.live());
        assertThat(ninth).isLessThan(tenth);
        assertThat(JobKey.parse(Submissions.KEY)).isEmpty();
        assertThat(JobKey.parse("dispatcher/jobs/7.x")).isEmpty();
    }

    @Test
    void aLongHistoryKeepsItsFirstAndLastTransitions() {
        JobRecord job = new JobRecord(live(), true);
        PreviousRuns past = job.past();
        for (int i = 0; i < 200; i++) {
            past = job.pastAfterLoss("loss " + i, i);
            job.jobMasterLost(past, "loss " + i, i);
        }

        assertThat(past.history()).hasSize(PreviousRuns.KEPT);
        assertThat(past.history().get(0).reason()).isEqualTo("lost");
        assertThat(past.history().get(PreviousRuns.KEPT - 1).reason()).isEqualTo("loss 199");
        assertThat(past.restarts()).isEqualTo(202);
        assertThat(past.startedMillis()).isEqualTo(5);
    }
}
