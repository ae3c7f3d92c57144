package io.berth.ops.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.BundleRef;
import io.berth.core.api.access.User;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.ResourceManagerGateway.DrainedWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.RelabeledWorker;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerBlock;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobFailure.TaskFailure;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.log.TaskLogDetails;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyVerdict;
import io.berth.core.api.operations.RoleOperations.RoleDetails;
import io.berth.core.api.operations.TooLargeException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.SystemClock;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestRouterTest {

    private static final String HASH = "ab".repeat(32);
    private static final ParallelismBounds BOUNDS = new ParallelismBounds(1, List.of(new VertexBounds("a", 1, 2, 4)));

    private final Json json = new Json();
    private final List<String> calls = new ArrayList<>();
    private final List<String> causes = new ArrayList<>();
    private final FakeTokens tokens = new FakeTokens();
    private CompletionStage<ClusterDetails> cluster = CompletableFuture.completedFuture(new ClusterDetails(
            List.of(new ClusterDetails.WorkerDetails(
                    "w-1",
                    "registered",
                    "local",
                    "default",
                    "127.0.0.1:1",
                    "{2 cpu, 1 GiB}",
                    "{1 cpu, 512 MiB}",
                    2,
                    5,
                    6,
                    new TreeMap<>())),
            List.of()));

    private Optional<IOException> storeFailure = Optional.empty();
    private boolean leads = true;
    private int known = 1;
    private String owner = "";

    private final JobOperations jobs = new JobOperations() {
        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public CompletionStage<SubmitResult> submit(String description, Optional<String> key, Optional<User> user) {
            calls.add("submit " + description
                    + key.map(name -> " as " + name).orElse("")
                    + user.map(who -> " by " + who).orElse(""));
            if (key.isPresent() && calls.size() > 1) {
                return CompletableFuture.completedFuture(new SubmitResult.Repeated(new JobId("job-1")));
            }
            return CompletableFuture.completedFuture(
                    description.equals("bad")
                            ? new SubmitResult.Refused(List.of(new Problem("name", "missing", "a name")))
                            : new SubmitResult.Submitted(new JobId("job-1")));
        }

        @Override
        public CompletionStage<List<JobDetails>> jobs() {
            return CompletableFuture.completedFuture(LongStream.rangeClosed(1, known)
                    .mapToObj(RestRouterTest.this::details)
                    .toList());
        }

        @Override
        public CompletionStage<Optional<JobDetails>> job(JobId job) {
            return CompletableFuture.completedFuture(
                    job.value().equals("job-1") ? Optional.of(details()) : Optional.empty());
        }

        @Override
        public CompletionStage<Optional<ParallelismBounds>> requirements(JobId job) {
            return CompletableFuture.completedFuture(
                    job.value().equals("job-1") ? Optional.of(BOUNDS) : Optional.empty());
        }

        @Override
        public CompletionStage<RequirementsResult> changeRequirements(
                JobId job, OptionalLong basis, List<VertexBounds> vertices) {
            calls.add("requirements " + job + " " + basis + " " + vertices);
            return CompletableFuture.completedFuture(
                    switch (job.value()) {
                        case "job-1" ->
                            basis.orElse(1) == 1
                                    ? new RequirementsResult.Changed(new ParallelismBounds(2, vertices))
                                    : new RequirementsResult.Conflict(BOUNDS);
                        case "refusing" ->
                            new RequirementsResult.Refused(
                                    List.of(new Problem("vertices.a.minimum", "0", "at least 1")));
                        case "ended" -> new RequirementsResult.AlreadyEnded();
                        default -> new RequirementsResult.Unknown();
                    });
        }

        @Override
        public CompletionStage<CancelResult> cancel(JobId job, String cause) {
            causes.add(cause);
            return CompletableFuture.completedFuture(
                    switch (job.value()) {
                        case "job-1" -> CancelResult.CANCELING;
                        case "ended" -> CancelResult.ALREADY_ENDED;
                        default -> CancelResult.UNKNOWN;
                    });
        }

        @Override
        public BundleRef storeBundle(String sha256, InputStream content) throws IOException {
            byte[] bytes = content.readAllBytes();
            if (storeFailure.isPresent()) {
                throw storeFailure.get();
            }
            if (!leads) {
                throw new IllegalStateException(
                        "bundles cannot be stored yet: the Dispatcher is still reading its job store; try again");
            }
            if (bytes.length > 5) {
                throw new TooLargeException("at most 5");
            }
            return new BundleRef(sha256, bytes.length);
        }

        @Override
        public Optional<BundleRef> bundle(String sha256) {
            return sha256.equals(HASH) ? Optional.of(new BundleRef(HASH, 3)) : Optional.empty();
        }
    };

    private final PolicyOperations policies = new PolicyOperations() {
        @Override
        public List<PolicyDetails> policies() {
            return List.of(new PolicyDetails(
                    PolicyKind.MATCHING,
                    "spread",
                    "s",
                    "io.berth.matching.spread",
                    "0.1.0",
                    0,
                    PolicyVerdict.DECIDING,
                    "deciding",
                    1,
                    2,
                    0));
        }

        @Override
        public Optional<String> queueRefusal(String pool, String queue, String submitter) {
            return Optional.empty();
        }

        @Override
        public List<String> poolNames() {
            return List.of("default");
        }

        @Override
        public List<PoolDetails> pools() {
            PoolDetails usual = new PoolDetails("default", 86_400_000, 7, List.of());
            return List.of(
                    new PoolDetails(
                            "gpu",
                            86_400_000,
                            0,
                            List.of(),
                            0,
                            "labels gpu",
                            "",
                            new TreeMap<>(Map.of("matching", PolicyChoice.of("first-fit"))),
                            new TreeMap<>(),
                            new TreeMap<>(),
                            usual.limits(),
                            true),
                    usual);
        }

        @Override
        public UseResult use(PolicyKind kind, String selector, OptionalLong expectedIndex, String by) {
            if (selector.equals("magic")) {
                throw new IllegalArgumentException("no matching policy 'magic': there is spread");
            }
            if (expectedIndex.isPresent() && expectedIndex.getAsLong() != 4) {
                return new UseResult.Conflict(choices().get(0));
            }
            calls.add("use " + kind + " " + selector + (by.equals("REST") ? "" : " by " + by));
            return new UseResult.Changed(5);
        }

        @Override
        public UseResult revert(PolicyKind kind, OptionalLong expectedIndex, String by) {
            calls.add("revert " + kind + " " + expectedIndex);
            if (kind == PolicyKind.SCALING) {
                throw new IllegalStateException("the choice of scaling cannot be kept");
            }
            return expectedIndex.isPresent() && expectedIndex.getAsLong() != 4
                    ? new UseResult.Conflict(choices().get(0))
                    : new UseResult.Changed(5);
        }

        @Override
        public ShadowDetails shadow(PolicyKind kind, String name, String pool, String by) {
            calls.add("shadow " + kind + " " + name + " " + pool);
            return shadows().get(0);
        }

        @Override
        public ShadowDetails endShadow(PolicyKind kind, String pool, String by) {
            calls.add("end shadow " + kind + " " + pool);
            return shadows().get(0);
        }

        @Override
        public List<ShadowDetails> shadows() {
            ShadowFigures sums = ShadowFigures.ofPlan(8, 1, 2, 0.5, 0, 90);
            return List.of(new ShadowDetails(
                    "default",
                    PolicyKind.MATCHING,
                    "spread",
                    "b",
                    "0.1.0",
                    "follows",
                    "",
                    "REST",
                    1,
                    5,
                    4,
                    1,
                    0,
                    2,
                    7,
                    sums,
                    sums));
        }

        @Override
        public List<ShadowedDecision> shadowed(long decision) {
            return List.of(new ShadowedDecision(
                    "default",
                    PolicyKind.MATCHING,
                    "spread",
                    "differs",
                    ShadowFigures.NONE,
                    ShadowFigures.NONE,
                    List.of("w1: 2 slots of group g of job a instead of 0")));
        }

        @Override
        public void release(PolicyKind kind, String name, String by) {
            if (!name.equals("moody")) {
                throw new IllegalArgumentException("there is no matching policy '" + name + "'");
            }
            calls.add("release " + kind + " " + name);
        }

        @Override
        public List<PolicyDiagnosis> diagnose(Optional<PolicyKind> kind, Optional<String> name) {
            calls.add("diagnose " + kind + " " + name);
            return name.equals(Optional.of("nobody"))
                    ? List.of()
                    : List.of(new PolicyDiagnosis(
                            PolicyKind.MATCHING, "spread", "b", "0.1.0", PolicyVerdict.OUTRANKED, "by first-fit"));
        }

        @Override
        public List<SwapDetails> swaps(Optional<PolicyKind> kind, int limit) {
            calls.add("swaps " + kind + " " + limit);
            PolicyStamp from = new PolicyStamp(PolicyKind.MATCHING, "first-fit", "b", "0.1.0", 1, 0);
            PolicyStamp to = new PolicyStamp(PolicyKind.MATCHING, "spread", "c", "0.1.0", 2, 0);
            return List.of(new SwapDetails(
                    9,
                    1,
                    PolicyKind.MATCHING,
                    "pool default",
                    new PolicyOperations.SwapCause(PolicyEvent.USE, "shell"),
                    from,
                    to,
                    1,
                    12,
                    345,
                    4,
                    400,
                    55,
                    new PolicyOperations.RefreshedBundles(1, List.of("c")),
                    PolicyOperations.SwapLedger.NONE,
                    0,
                    1));
        }

        @Override
        public List<ChoiceDetails> choices() {
            return List.of(new ChoiceDetails(PolicyKind.MATCHING, "spread", 4, "shell", 1, ""));
        }

        @Override
        public Optional<String> choice(PolicyKind kind) {
            return kind == PolicyKind.MATCHING ? Optional.of("spread") : Optional.empty();
        }

        @Override
        public void exportDecisions(OptionalLong from, OptionalLong to, OutputStream out) throws IOException {
            out.write(("from " + from + " to " + to).getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public List<DecisionDetails> decisions(DecisionFilter filter) {
            calls.add("decisions " + filter);
            return List.of();
        }

        @Override
        public Optional<DecisionDetails> decision(long number) {
            return number == 7
                    ? Optional.of(new DecisionDetails(
                            7,
                            1,
                            "pool default",
                            List.of(new PolicyStamp(PolicyKind.MATCHING, "spread", "b", "0.1.0", 1, 0)),
                            3,
                            List.of("job-1"),
                            List.of(),
                            List.of("placed"),
                            List.of(),
                            12,
                            List.of(),
                            List.of()))
                    : Optional.empty();
        }

        @Override
        public List<Problem> problems(PolicyKind kind, String name, SortedMap<String, String> parameters) {
            return List.of();
        }
    };

    private final ClusterOperations clusterOperations = new ClusterOperations() {
        @Override
        public CompletionStage<ClusterDetails> cluster(ClusterQuery query) {
            calls.add("cluster " + query);
            return cluster;
        }

        @Override
        public String masterAddress() {
            return "127.0.0.1:7077";
        }

        @Override
        public CompletionStage<BlockResult> block(String worker, String duration, String reason) {
            calls.add("block " + worker + " " + duration + " " + reason);
            return CompletableFuture.completedFuture(
                    duration.equals("10x")
                            ? new BlockResult.Refused(List.of(new Problem("for", "'10x'", "allowed is 10m")))
                            : new BlockResult.Done(List.of(new WorkerBlock(new WorkerId(worker), 600_000, reason))));
        }

        @Override
        public CompletionStage<BlockResult> unblock(String worker) {
            calls.add("unblock " + worker);
            return CompletableFuture.completedFuture(
                    new BlockResult.Done(List.of(new WorkerBlock(new WorkerId(worker), 1_000, "x"))));
        }

        @Override
        public CompletionStage<DrainResult> drain(String worker, Optional<String> deadline, String reason) {
            calls.add("drain " + worker + " " + deadline + " " + reason);
            return CompletableFuture.completedFuture(new DrainResult.Done(
                    List.of(new DrainedWorker(new WorkerId(worker), Optional.of(new WorkerLeave(5, reason)), ""))));
        }

        @Override
        public CompletionStage<DrainResult> undrain(String worker) {
            calls.add("undrain " + worker);
            return CompletableFuture.completedFuture(
                    new DrainResult.Done(List.of(new DrainedWorker(new WorkerId(worker), Optional.empty(), ""))));
        }

        @Override
        public CompletionStage<LogList> taskLogs(LogFilter filter) {
            calls.add("task logs " + filter);
            return CompletableFuture.completedFuture(new LogList(
                    List.of(new TaskLogDetails(
                            new WorkerId("w-1"),
                            "0000000001000-000001",
                            new AttemptId(filter.job(), "a", 2, 7, 3, 1),
                            List.of("a", "b"),
                            1_000,
                            5,
                            9)),
                    1,
                    List.of(new WorkerId("w-2"))));
        }

        @Override
        public CompletionStage<Optional<LogPart>> readLog(WorkerId worker, LogRequest request) {
            calls.add("read log " + worker + " " + request);
            return CompletableFuture.completedFuture(
                    worker.value().equals("gone")
                            ? Optional.empty()
                            : Optional.of(new LogPart(true, 5, 9, 12, "a\n\u20ac".getBytes(StandardCharsets.UTF_8))));
        }

        @Override
        public CompletionStage<LabelResult> relabel(String worker, LabelChange change) {
            calls.add("relabel " + worker + " " + change);
            return CompletableFuture.completedFuture(
                    worker.equals("nobody")
                            ? new LabelResult.Refused(List.of(new Problem("worker", "'nobody'", "a worker")))
                            : new LabelResult.Done(List.of(
                                    new RelabeledWorker(new WorkerId(worker), change.applyTo(WorkerLabels.NONE), ""))));
        }
    };

    private final RestRouter router = router(false);
    private final RestRouter authenticating = router(true);

    private RestRouter router(boolean authenticates) {
        return new RestRouter(
                jobs,
                clusterOperations,
                policies,
                this::roles,
                tokens,
                json,
                "0.1.0",
                new RestRouter.RestSettings(50, 100, authenticates));
    }

    private List<RoleDetails> roles() {
        return List.of(new RoleDetails("resource-manager", "127.0.0.1:7078", 42, "waits"));
    }

    private JobDetails details() {
        return details(1);
    }

    private JobDetails details(long index) {
        return JobDetails.of(new JobId("job-" + index), "job")
                .submissionIndex(index)
                .status(JobStatus.WAITING_FOR_RESOURCES)
                .submittedMillis(1)
                .reason("needs 1")
                .submitter(owner)
                .vertices(List.of(new JobDetails.VertexDetails("count", "word-count", 1, 2, 4, 2, 2, 0, 1, 2, 3)))
                .counters(new TreeMap<>(Map.of("words", 5L)))
                .history(List.of(new Transition(1, JobStatus.CREATED, "")))
                .events(new JobEvents(
                        List.of(new JobFailure(
                                4,
                                new TaskFailure(5, "count[3]", "w-1", "no such file", "java.io.IOException"),
                                List.of(),
                                0)),
                        List.of(new JobRescale(
                                6,
                                Kind.RESCALE,
                                "more slots",
                                "scaling reactive",
                                List.of(new Change("count", 2, 3)),
                                List.of(),
                                List.of(new Phase(JobStatus.RESTARTING, 7)),
                                Outcome.DONE))))
                .waiting(Waiting.since(
                        7,
                        Reason.of(
                                ReasonCode.POOL_LIMIT,
                                "needs 1",
                                List.of(Reason.counted(
                                        ReasonCode.NO_MEMORY, 14, "14 workers have cpu but no memory")))))
                .build();
    }

    @Test
    void relabelsAWorker() {
        Optional<String> type = Optional.of("application/json");
        RestResponse done = call(
                "POST",
                "workers/w-1/labels",
                "",
                type,
                "{\"labels\": {\"zone\": \"a\", \"rack\": null}, \"taints\": {\"gpu\": \"yes\"}}");
        assertThat(done.status()).isEqualTo(200);
        assertThat(new String(json.write(done.body()), StandardCharsets.UTF_8))
                .isEqualTo("[{\"worker\":\"w-1\",\"labels\":{\"zone\":\"a\"},\"taints\":{\"gpu\":\"yes\"},"
                        + "\"problem\":\"\"}]");
        assertThat(calls)
                .containsExactly("relabel w-1 LabelChange[labels={zone=a}, removedLabels=[rack], taints={gpu=yes},"
                        + " removedTaints=[]]");
        assertThat(call("POST", "workers/nobody/labels", "", type, "{\"labels\": {\"zone\": \"a\"}}")
                        .status())
                .isEqualTo(400);
        for (String bad : List.of("[]", "{\"labels\": []}", "{\"labels\": {\"a\": 1}}", "{\"label\": {}}")) {
            assertThat(call("POST", "workers/w-1/labels", "", type, bad).status())
                    .as(bad)
                    .isEqualTo(400);
        }
    }

    @Test
    void blocksAWorkerAndLiftsTheBlock() {
        Optional<String> type = Optional.of("application/json");
        RestResponse blocked = call("POST", "workers/w-1/block", "", type, "{\"for\": \"10m\", \"reason\": \"disk\"}");
        assertThat(blocked.status()).isEqualTo(200);
        assertThat(new String(json.write(blocked.body()), StandardCharsets.UTF_8))
                .isEqualTo("[{\"worker\":\"w-1\",\"millis\":600000,\"reason\":\"disk\"}]");
        assertThat(call("POST", "workers/w-1/unblock", "", Optional.empty(), "").status())
                .isEqualTo(200);
        assertThat(calls).containsExactly("block w-1 10m disk", "unblock w-1");
    }

    @Test
    void drainsAWorkerAndEndsIt() {
        Optional<String> type = Optional.of("application/json");
        RestResponse drained =
                call("POST", "workers/w-1/drain", "", type, "{\"reason\": \"drained by ann\", \"deadline\": \"10m\"}");
        assertThat(new String(json.write(drained.body()), StandardCharsets.UTF_8))
                .isEqualTo("[{\"worker\":\"w-1\",\"leavingReason\":\"drained by ann\",\"leavingMillis\":5,"
                        + "\"problem\":\"\"}]");
        assertThat(call("POST", "workers/w-1/drain", "", type, "{\"reason\": \"x\"}")
                        .status())
                .isEqualTo(200);
        assertThat(call("POST", "workers/w-1/undrain", "", Optional.empty(), "").status())
                .isEqualTo(200);
        for (String body : List.of(
                "{}",
                "{\"deadline\": \"1m\"}",
                "{\"reason\": 1}",
                "{\"reason\": \"x\", \"deadline\": 1}",
                "{\"reason\": \"x\", \"y\": 1}",
                "[]")) {
            RestResponse refused = call("POST", "workers/w-1/drain", "", type, body);
            assertThat(refused.status()).as(body).isEqualTo(400);
        }
        assertThat(calls)
                .containsExactly("drain w-1 Optional[10m] drained by ann", "drain w-1 Optional.empty x", "undrain w-1");
    }

    @Test
    void listsTheLogsOfTasks() {
        assertThat(body(get("jobs/job-1/logs")).toString())
                .isEqualTo("{\"logs\":[{\"worker\":\"w-1\",\"log\":\"0000000001000-000001\",\"vertices\":[\"a\",\"b\"],"
                        + "\"subtask\":2,\"epoch\":7,\"execution\":3,\"restart\":1,\"createdMillis\":1000,\"start\":5,"
                        + "\"end\":9}],\"omitted\":1,\"silent\":[\"w-2\"]}");
        assertThat(calls)
                .containsExactly("task logs LogFilter[job=job-1, vertex=Optional.empty, subtask=Optional.empty]");
        calls.clear();
        assertThat(call("GET", "jobs/job-1/logs", "vertex=count&subtask=2", Optional.empty(), "")
                        .status())
                .isEqualTo(200);
        assertThat(calls)
                .containsExactly("task logs LogFilter[job=job-1, vertex=Optional[count], subtask=Optional[2]]");
        assertRefused(get("jobs/job-9/logs"), 404, "no job 'job-9'");
        assertRefused(
                call("GET", "jobs/job-1/logs", "vertex=sink", Optional.empty(), ""),
                400,
                "vertex is 'sink': allowed are count");
        assertThat(call("GET", "jobs/job-1/logs", "vertex=count&subtask=400", Optional.empty(), "")
                        .status())
                .as("of an execution with more subtasks than there may be now")
                .isEqualTo(200);
        assertRefused(
                call("GET", "jobs/job-1/logs", "subtask=x", Optional.empty(), ""),
                400,
                "subtask is 'x': allowed is a whole number, 0 or more");
        assertThat(call("POST", "jobs/job-1/logs", "", Optional.empty(), "").status())
                .isEqualTo(405);
    }

    @Test
    void readsLogsPageByPage() {
        assertThat(body(call(
                                "GET",
                                "jobs/job-1/logs/w-1/0000000001000-000001",
                                "from=-7&limit=9",
                                Optional.empty(),
                                ""))
                        .toString())
                .isEqualTo("{\"worker\":\"w-1\",\"log\":\"0000000001000-000001\",\"from\":5,\"next\":9,\"end\":12,"
                        + "\"text\":\"a\\n\u20ac\"}");
        assertThat(get("workers/w-1/logs").status()).isEqualTo(200);
        assertThat(calls)
                .containsExactly(
                        "read log w-1 LogRequest[job=Optional[job-1], log=0000000001000-000001, from=-7, limit=9]",
                        "read log w-1 LogRequest[job=Optional.empty, log=, from=0, limit=262144]");
        assertRefused(get("workers/gone/logs"), 404, "no log of worker 'gone': it is not known, or it is gone");
        assertRefused(get("jobs/job-1/logs/gone/x"), 404, "no log 'x' of worker 'gone'");
        assertRefused(get("workers/.../logs"), 404, "no log of worker '...'");
        assertRefused(
                call("GET", "workers/w-1/logs", "from=end", Optional.empty(), ""), 400, "from is 'end': allowed is");
        assertRefused(
                call("GET", "workers/w-1/logs", "limit=262145", Optional.empty(), ""),
                400,
                "limit is '262145': 1 to 262144 is allowed");
        assertThat(get("jobs/job-1/nothing/w-1/x").status()).isEqualTo(404);
    }

    @Test
    void refusesAnInvalidBlockAndNamesTheProblem() {
        Optional<String> type = Optional.of("application/json");
        RestResponse refused = call("POST", "workers/w-1/block", "", type, "{\"for\": \"10x\", \"reason\": \"disk\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(new String(json.write(refused.body()), StandardCharsets.UTF_8))
                .contains("the request has 1 problem; nothing was changed", "\"field\":\"for\"", "allowed is 10m");
        for (String body : List.of(
                "{}", "{\"for\": 10, \"reason\": \"x\"}", "{\"for\": \"1m\", \"reason\": \"x\", \"y\": 1}", "[]")) {
            assertThat(call("POST", "workers/w-1/block", "", type, body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(call("POST", "workers/w-1/block", "", Optional.of("text/plain"), "x")
                        .status())
                .isEqualTo(415);
        assertThat(call("POST", "workers/w-1/empty", "", type, "{}").status()).isEqualTo(404);
        assertThat(call("GET", "workers/w-1/block", "", type, "").status()).isEqualTo(405);
        assertThat(calls).containsExactly("block w-1 10x disk");
    }

    private RestResponse call(String method, String path, String query, Optional<String> type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return router.handle(new RestRequest(
                method,
                List.of(path.split("/")),
                RestServlet.query(query),
                type,
                Optional.of((long) bytes.length),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new ByteArrayInputStream(bytes)));
    }

    /** Sends a request with the token of a user. */
    private RestResponse by(String user, String method, String path, String type, String body) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return authenticating.handle(new RestRequest(
                method,
                List.of(path.split("/")),
                Map.of(),
                Optional.of(type),
                Optional.of((long) bytes.length),
                Optional.of("k-1"),
                Optional.of("Bearer " + user),
                Optional.empty(),
                new ByteArrayInputStream(bytes)));
    }

    @Test
    void aRequestIsThatOfTheUserWhoseTokenItHas() {
        assertThat(by("sue", "POST", "jobs", "application/yaml", "good").status())
                .isEqualTo(201);
        assertThat(by("olga", "PUT", "policies/matching", "application/json", "{\"name\": \"spread\"}")
                        .status())
                .isEqualTo(200);
        assertThat(calls)
                .containsExactly("submit good as k-1 by sue (submitter)", "use MATCHING spread by olga (REST)");
    }

    @Test
    void aSubmitterChangesOnlyOwnJobs() {
        String bounds = "{\"vertices\": [{\"vertex\": \"a\", \"minimum\": 1, \"desired\": 2, \"maximum\": 4}]}";
        for (String submitter : List.of("", "ann")) {
            owner = submitter;
            assertRefused(
                    by("sue", "DELETE", "jobs/job-1", "", ""),
                    403,
                    "and sue may only change own jobs: others need the role operator");
            assertThat(by("sue", "POST", "jobs/job-1/cancel", "", "").status()).isEqualTo(403);
            assertThat(by("sue", "PUT", "jobs/job-1/requirements", "application/json", bounds)
                            .status())
                    .isEqualTo(403);
        }
        assertThat(causes).isEmpty();
        assertThat(calls).isEmpty();

        assertThat(by("olga", "DELETE", "jobs/job-1", "", "").status()).isEqualTo(202);
        owner = "sue";
        assertThat(by("sue", "POST", "jobs/job-1/cancel", "", "").status()).isEqualTo(202);
        assertThat(by("sue", "PUT", "jobs/job-1/requirements", "application/json", bounds)
                        .status())
                .isEqualTo(200);
        assertThat(causes).containsExactly("canceled by olga", "canceled by sue");
    }

    @Test
    void anAdminMakesListsAndRevokesTokens() {
        RestResponse made = by(
                "adam",
                "POST",
                "tokens",
                "application/json",
                "{\"name\": \"ann\", \"role\": \"viewer\", \"validFor\": \"30d\"}");
        assertThat(made.status()).isEqualTo(201);
        assertThat(body(made).get("token").textValue()).isEqualTo("secret-of-ann");
        assertThat(body(made).get("role").textValue()).isEqualTo("viewer");
        assertThat(body(made).get("createdBy").textValue()).isEqualTo("adam (REST)");
        assertThat(body(made).get("expiresMillis").longValue()).isEqualTo(30L * 86_400_000);

        JsonNode listed = body(by("adam", "GET", "tokens", "", ""));
        assertThat(listed).hasSize(1);
        assertThat(listed.get(0).has("token")).as("it is not shown again").isFalse();

        JsonNode revoked = body(by("adam", "DELETE", "tokens/ann", "", "")).get("revoked");
        assertThat(revoked.get(0).get("name").textValue()).isEqualTo("ann");
        assertRefused(by("adam", "DELETE", "tokens/ann", "", ""), 404, "no token or user 'ann'");
    }

    @Test
    void refusesATokenForWhatIsNotAllowed() {
        RestResponse refused = by(
                "adam",
                "POST",
                "tokens",
                "application/json",
                "{\"name\": \"-a\", \"role\": \"king\", \"validFor\": \"59s\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(body(refused).get("problems"))
                .extracting(problem -> problem.get("field").textValue())
                .containsExactly("name", "role", "validFor");
        for (String bad : List.of("[]", "{}", "{\"name\": 1, \"role\": \"viewer\", \"validFor\": \"1d\"}")) {
            assertRefused(by("adam", "POST", "tokens", "application/json", bad), 400, "allowed is {\"name\": NAME");
        }
        tokens.full = true;
        assertRefused(
                by(
                        "adam",
                        "POST",
                        "tokens",
                        "application/json",
                        "{\"name\": \"ann\", \"role\": \"viewer\", \"validFor\": \"1d\"}"),
                409,
                "there are 1000 tokens");
        assertThat(tokens.made).isEmpty();
    }

    @Test
    void answersNobodyWhoseTokenItCannotCheck() {
        tokens.unreachable = true;
        assertRefused(by("adam", "GET", "jobs", "", ""), 503, "the disk does not answer");
    }

    @Test
    void answersAtAnAddressThatOthersReachOnlyUsersAndOverTls() {
        for (String loopback : List.of("127.0.0.1", "127.1.2.3", "::1", "[::1]", "0:0:0:0:0:0:0:1")) {
            Optional<String> here = Optional.of(loopback);
            assertThat(RestServlet.exposed(here, false, false, false)).isEmpty();
            assertThat(RestServlet.exposed(here, true, true, false))
                    .as("a proxy on this host, which has TLS")
                    .isEmpty();
            assertThat(RestServlet.exposed(here, true, false, true))
                    .hasValueSatisfying(
                            why -> assertThat(why).contains("a proxy forwards").contains("authentication = token"));
        }
        for (String reachable : List.of("192.0.2.1", "2001:db8::1", "10.0.0.1", "::ffff:192.0.2.1", "", "no address")) {
            Optional<String> there = Optional.of(reachable);
            assertThat(RestServlet.exposed(there, false, true, true)).isEmpty();
            assertThat(RestServlet.exposed(there, false, false, true)).isPresent();
            assertThat(RestServlet.exposed(there, false, true, false)).isPresent();
            assertThat(RestServlet.exposed(there, false, false, false))
                    .hasValueSatisfying(why ->
                            assertThat(why).contains("other hosts can reach").contains("authentication = token"));
        }
        assertThat(RestServlet.exposed(Optional.empty(), false, false, true)).isPresent();
    }

    private RestResponse get(String path) {
        return call("GET", path, "", Optional.empty(), "");
    }

    private JsonNode body(RestResponse response) {
        return json.read(json.write(response.body()));
    }

    private void assertRefused(RestResponse response, int status, String message) {
        assertThat(response.status()).isEqualTo(status);
        assertThat(body(response).get("error").textValue()).contains(message);
    }

    @Test
    void writesJobsAsJson() {
        RestResponse response = get("jobs");

        assertThat(response.status()).isEqualTo(200);
        JsonNode job = body(response).get(0);
        assertThat(job.get("id").textValue()).isEqualTo("job-1");
        assertThat(job.get("status").textValue()).isEqualTo("WaitingForResources");
        assertThat(job.at("/waiting/current/code").textValue()).isEqualTo("POOL_LIMIT");
        assertThat(job.at("/waiting/current/causes/0/code").textValue()).isEqualTo("NO_MEMORY");
        assertThat(job.at("/waiting/current/causes/0/count").intValue()).isEqualTo(14);
        assertThat(job.at("/waiting/first/text").textValue()).isEqualTo("needs 1");
        assertThat(job.at("/waiting/firstMillis").longValue()).isEqualTo(7);
        assertThat(job.get("counters").get("words").longValue()).isEqualTo(5);
        assertThat(job.get("history").get(0).get("status").textValue()).isEqualTo("Created");
    }

    @Test
    void aJobIsShownWithoutItsFailuresAndItsHistoryHasThem() {
        assertThat(body(get("jobs/job-1")).has("events")).isFalse();
        assertThat(body(get("jobs")).get(0).has("events")).isFalse();

        JsonNode history = body(get("jobs/job-1/history"));
        assertThat(history.at("/states/0/status").textValue()).isEqualTo("Created");
        assertThat(history.at("/failures/0/execution").longValue()).isEqualTo(4);
        assertThat(history.at("/failures/0/cause/task").textValue()).isEqualTo("count[3]");
        assertThat(history.at("/failures/0/cause/stack").textValue()).isEqualTo("java.io.IOException");
        assertThat(history.at("/rescales/0/kind").textValue()).isEqualTo("RESCALE");
        assertThat(history.at("/rescales/0/phases/0/status").textValue()).isEqualTo("Restarting");
        assertThat(history.at("/rescales/0/vertices/0/after").intValue()).isEqualTo(3);
        assertRefused(get("jobs/nobody/history"), 404, "no job 'nobody'");
        assertThat(call("POST", "jobs/job-1/history", "", Optional.empty(), "").status())
                .isEqualTo(405);
    }

    @Test
    void submitsADescription() {
        RestResponse response = call("POST", "jobs", "", Optional.of("application/yaml"), "name: x");

        assertThat(response.status()).isEqualTo(201);
        assertThat(body(response).get("id").textValue()).isEqualTo("job-1");
        assertThat(calls).containsExactly("submit name: x");
    }

    @Test
    void aSubmissionRepeatedWithItsKeyIsAnsweredWithTheSameJob() {
        RestRequest request = new RestRequest(
                "POST",
                List.of("jobs"),
                Map.of(),
                Optional.of("application/yaml"),
                Optional.empty(),
                Optional.of("key-1"),
                Optional.empty(),
                Optional.empty(),
                new ByteArrayInputStream("name: x".getBytes(StandardCharsets.UTF_8)));

        RestResponse first = router.handle(request);
        RestResponse second = router.handle(request);

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(200);
        assertThat(body(second)).isEqualTo(body(first));
        assertThat(calls.get(0)).isEqualTo("submit name: x as key-1");
    }

    @Test
    void answersABadDescriptionWithItsProblems() {
        RestResponse response = call("POST", "jobs", "", Optional.of("application/json"), "bad");

        assertRefused(response, 400, "1 problem; nothing was submitted");
        JsonNode problem = body(response).get("problems").get(0);
        assertThat(problem.get("field").textValue()).isEqualTo("name");
        assertThat(problem.get("given").textValue()).isEqualTo("missing");
        assertThat(problem.get("allowed").textValue()).isEqualTo("a name");
    }

    @Test
    void refusesBodiesOfAnotherTypeOrSize() {
        assertRefused(call("POST", "jobs", "", Optional.of("text/plain"), "x"), 415, "text/plain");
        assertRefused(call("POST", "jobs", "", Optional.empty(), "x"), 415, "missing");
        assertRefused(call("POST", "jobs", "", Optional.of("application/yaml"), "x".repeat(101)), 413, "at most 100");
        assertThat(calls).isEmpty();
    }

    @Test
    void refusesALongBodyOfUndeclaredLength() {
        RestResponse response = router.handle(new RestRequest(
                "POST",
                List.of("jobs"),
                Map.of(),
                Optional.of("application/yaml"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new ByteArrayInputStream(new byte[500])));

        assertRefused(response, 413, "at most 100");
    }

    @Test
    void refusesTextThatIsNotUtf8() {
        RestResponse response = router.handle(new RestRequest(
                "POST",
                List.of("jobs"),
                Map.of(),
                Optional.of("application/yaml"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new ByteArrayInputStream(new byte[] {(byte) 0xff})));

        assertRefused(response, 400, "UTF-8");
    }

    @Test
    void aBundleThatCannotBeStoredIsAnErrorOfTheServer() {
        storeFailure = Optional.of(new IOException("no space left on device"));
        assertRefused(call("PUT", "bundles/" + HASH, "", Optional.empty(), "abc"), 503, "no space left on device");

        storeFailure = Optional.empty();
        leads = false;
        assertRefused(call("PUT", "bundles/" + HASH, "", Optional.empty(), "abc"), 503, "still reading its job store");
    }

    @Test
    void aBundleWhoseUploadIsInterruptedIsAnErrorOfTheClient() {
        InputStream broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("connection reset");
            }
        };

        RestResponse response = router.handle(new RestRequest(
                "PUT",
                List.of("bundles", HASH),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                new TimedBody(broken, new SystemClock(), 1_000)));

        assertRefused(response, 400, "the body could not be read: connection reset");
    }

    @Test
    void refusesUnknownPathsAndMethods() {
        assertRefused(get("jobz"), 404, "/v1/jobz is not known");
        assertRefused(get("jobs/a/b"), 404, "not known");
        RestResponse response = call("PUT", "jobs", "", Optional.empty(), "");
        assertRefused(response, 405, "allowed are GET, POST");
        assertThat(response.allow()).containsExactly("GET", "POST");
    }

    @Test
    void answersHeadLikeGetAndListsTheMethodsOfAPath() {
        assertThat(call("HEAD", "jobs", "", Optional.empty(), "").status()).isEqualTo(200);
        assertRefused(call("HEAD", "jobs/nobody/cancel", "", Optional.empty(), ""), 405, "allowed are POST");

        RestResponse options = call("OPTIONS", "jobs", "", Optional.empty(), "");

        assertThat(options.status()).isEqualTo(200);
        assertThat(options.allow()).containsExactly("GET", "POST");
    }

    @Test
    void namesAnUnknownJob() {
        assertRefused(get("jobs/nobody"), 404, "no job 'nobody'");
        assertRefused(get("jobs/NO BODY"), 404, "no job 'NO BODY'");
        assertThat(get("jobs/job-1").status()).isEqualTo(200);
    }

    private RestResponse require(String job, String body) {
        return call("PUT", "jobs/" + job + "/requirements", "", Optional.of("application/json"), body);
    }

    @Test
    void showsWhatAJobRequires() {
        assertThat(body(get("jobs/job-1/requirements")).toString())
                .isEqualTo(
                        "{\"revision\":1,\"vertices\":[{\"vertex\":\"a\",\"minimum\":1,\"desired\":2,\"maximum\":4}]}");
        assertRefused(get("jobs/nobody/requirements"), 404, "no job 'nobody'");
    }

    @Test
    void changesWhatAJobRequires() {
        String vertices = "\"vertices\": [{\"vertex\": \"a\", \"minimum\": 2, \"maximum\": 8}]";
        RestResponse changed = require("job-1", "{\"revision\": 1, " + vertices + "}");
        assertThat(changed.status()).isEqualTo(200);
        assertThat(body(changed).path("revision").longValue()).isEqualTo(2);
        assertThat(require("job-1", "{" + vertices + "}").status()).isEqualTo(200);
        assertThat(calls)
                .containsExactly(
                        "requirements job-1 OptionalLong[1] [VertexBounds[vertex=a, minimum=2, desired=8, maximum=8]]",
                        "requirements job-1 OptionalLong.empty [VertexBounds[vertex=a, minimum=2, desired=8, maximum=8]]");
        RestResponse conflict = require("job-1", "{\"revision\": 7, " + vertices + "}");
        assertRefused(conflict, 409, "another change came first: job job-1 has requirements of revision 1");
        assertThat(body(conflict).path("requirements").path("revision").longValue())
                .isEqualTo(1);
        assertRefused(require("ended", "{" + vertices + "}"), 409, "has already ended");
        assertRefused(require("nobody", "{" + vertices + "}"), 404, "no job");
        RestResponse refused = require("refusing", "{" + vertices + "}");
        assertRefused(refused, 400, "the request has 1 problem; nothing was changed");
        assertThat(body(refused).path("problems").path(0).path("field").textValue())
                .isEqualTo("vertices.a.minimum");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"vertices\": {}}",
                "{\"vertices\": [], \"more\": 1}",
                "{\"revision\": \"1\", \"vertices\": []}",
                "{\"vertices\": [{\"vertex\": \"a\", \"minimum\": 1}]}",
                "{\"vertices\": [{\"vertex\": \"a\", \"minimum\": 1, \"maximum\": 2, \"most\": 3}]}",
                "{\"vertices\": [{\"vertex\": \"a\", \"minimum\": 1.5, \"maximum\": 2}]}",
                "{\"vertices\": [{\"vertex\": 1, \"minimum\": 1, \"maximum\": 2}]}",
                "{\"vertices\": [{\"vertex\": \"a\", \"minimum\": 1, \"maximum\": 99999999999}]}"
            })
    void saysWhatRequirementsLookLike(String body) {
        assertRefused(require("job-1", body), 400, "allowed is {\"revision\": NUMBER, \"vertices\": [");
        assertThat(calls).isEmpty();
    }

    @Test
    void cancelsByPostAndByDelete() {
        assertThat(call("POST", "jobs/job-1/cancel", "", Optional.empty(), "").status())
                .isEqualTo(202);
        assertThat(call("DELETE", "jobs/job-1", "", Optional.empty(), "").status())
                .isEqualTo(202);
        assertRefused(call("POST", "jobs/ended/cancel", "", Optional.empty(), ""), 409, "already ended");
        assertRefused(call("POST", "jobs/nobody/cancel", "", Optional.empty(), ""), 404, "no job");
    }

    @Test
    void listsWorkersAndShowsTheStatus() {
        assertThat(body(get("workers")).get(0).get("id").textValue()).isEqualTo("w-1");
        JsonNode status = body(get("status"));
        assertThat(status.get("masterAddress").textValue()).isEqualTo("127.0.0.1:7077");
        assertThat(status.get("workers").intValue()).isEqualTo(1);
        assertThat(status.get("resourceManager").textValue()).isEqualTo("serving");
        assertThat(status.get("roles").toString())
                .isEqualTo(
                        "[{\"role\":\"resource-manager\",\"leader\":\"127.0.0.1:7078\",\"epoch\":42,\"here\":\"waits\"}]");
    }

    @Test
    void answersInTimeWhenTheResourceManagerDoesNotAnswer() {
        cluster = new CompletableFuture<>();

        assertRefused(get("workers"), 503, "no answer within 50 ms");
        assertThat(get("status").status()).isEqualTo(200);
    }

    @Test
    void reportsThatNoResourceManagerIsServed() {
        cluster = CompletableFuture.failedFuture(new IllegalStateException("nobody serves resource-manager"));

        assertRefused(get("slots"), 503, "nobody serves resource-manager");
    }

    @Test
    void choosesAPolicy() {
        Optional<String> type = Optional.of("application/json");

        assertThat(call("PUT", "policies/matching", "", type, "{\"name\":\"spread\"}")
                        .status())
                .isEqualTo(200);
        assertThat(calls).containsExactly("use MATCHING spread");
        assertRefused(call("PUT", "policies/matching", "", type, "{\"name\":\"magic\"}"), 400, "there is spread");
        assertRefused(call("PUT", "policies/cooking", "", type, "{\"name\":\"x\"}"), 404, "matching, distribution");
        assertRefused(call("PUT", "policies/matching", "", type, "{\"nam\":\"x\"}"), 400, "{\"name\": NAME}");
        assertRefused(call("PUT", "policies/matching", "", type, "{"), 400, "not JSON");
    }

    @Test
    void aConflictNamesTheCurrentChoice() {
        Optional<String> type = Optional.of("application/json");

        RestResponse lost = call("PUT", "policies/matching", "", type, "{\"name\":\"spread\",\"index\":3}");
        assertRefused(lost, 409, "matching is 'spread' at index 4, by shell at 1970-01-01T00:00:00.001Z");
        assertThat(body(lost).get("current").get("index").longValue()).isEqualTo(4);
        assertThat(calls).isEmpty();

        RestResponse won = call("PUT", "policies/matching", "", type, "{\"name\":\"spread\",\"index\":4}");
        assertThat(won.status()).isEqualTo(200);
        assertThat(body(won).get("index").longValue()).isEqualTo(5);
        assertThat(body(won).get("notReached")).hasToString("{\"gpu\":\"first-fit\"}");
        assertRefused(
                call("PUT", "policies/matching", "", type, "{\"name\":\"spread\",\"index\":\"x\"}"),
                400,
                "index is \"x\": a whole number from 0 is allowed");
        assertRefused(call("PUT", "policies/matching", "", type, "{\"name\":\"spread\",\"indx\":1}"), 400, "INDEX");
    }

    @Test
    void revertsToThePreviousChoice() {
        Optional<String> type = Optional.of("application/json");

        RestResponse done = call("POST", "policies/matching/revert", "", type, "{\"index\":4}");
        assertThat(done.status()).isEqualTo(200);
        assertThat(body(done).get("name").textValue()).isEqualTo("spread");
        assertThat(body(done).get("index").longValue()).isEqualTo(5);
        assertThat(call("POST", "policies/matching/revert", "", type, "{}").status())
                .isEqualTo(200);
        assertThat(calls).containsExactly("revert MATCHING OptionalLong[4]", "revert MATCHING OptionalLong.empty");
        assertRefused(call("POST", "policies/matching/revert", "", type, "{\"index\":1}"), 409, "at index 4, by shell");
        assertRefused(call("POST", "policies/matching/revert", "", type, "{\"x\":1}"), 400, "{\"index\": INDEX}");
        assertRefused(call("POST", "policies/scaling/revert", "", type, "{}"), 503, "cannot be kept");
        assertRefused(call("POST", "policies/matching/cook", "", type, "{}"), 404, "not known");
        assertRefused(get("policies/matching/revert"), 405, "allowed are POST");
    }

    @Test
    void beginsAndEndsAShadowAndShowsWhatItSays() {
        Optional<String> type = Optional.of("application/json");
        assertThat(body(call("PUT", "policies/matching/shadow", "", type, "{\"name\":\"spread\"}"))
                        .get("agreed")
                        .longValue())
                .isEqualTo(4);
        call("PUT", "policies/matching/shadow", "", type, "{\"name\":\"spread\",\"pool\":\"gpu\"}");
        assertThat(body(call("DELETE", "policies/matching/shadow", "", Optional.empty(), ""))
                        .get("kind")
                        .textValue())
                .isEqualTo("matching");
        assertThat(calls)
                .containsExactly("shadow MATCHING spread ", "shadow MATCHING spread gpu", "end shadow MATCHING ");
        assertThat(body(get("policies"))
                        .get("shadows")
                        .get(0)
                        .get("shadowed")
                        .get("placed")
                        .longValue())
                .isEqualTo(8);
        assertThat(body(get("decisions/7"))
                        .get("shadows")
                        .get(0)
                        .get("differences")
                        .get(0)
                        .textValue())
                .startsWith("w1: 2 slots");
        assertThat(body(get("decisions/7")).get("owner").textValue()).isEqualTo("pool default");
        assertRefused(call("DELETE", "policies/scaling/shadow", "", Optional.empty(), ""), 404, "shadows jobs");
        assertRefused(call("DELETE", "policies/matching/shadow", "pool=gpu", Optional.empty(), ""), 404, "pool 'gpu'");
        assertRefused(call("PUT", "policies/matching/shadow", "", type, "{\"pool\":\"gpu\"}"), 400, "{\"name\": NAME}");
        assertRefused(get("policies/matching/shadow"), 405, "allowed are DELETE, PUT");
    }

    @Test
    void releasesAPolicyAndShowsWhyAPolicyDoesNotDecide() {
        Optional<String> type = Optional.of("application/json");

        assertThat(call("POST", "policies/matching/release", "", type, "{\"name\":\"moody\"}")
                        .status())
                .isEqualTo(200);
        JsonNode diagnosis = body(call("GET", "policies/diagnosis", "kind=matching&name=spread", Optional.empty(), ""))
                .get(0);
        assertThat(calls).containsExactly("release MATCHING moody", "diagnose Optional[MATCHING] Optional[spread]");
        assertThat(diagnosis.get("kind").textValue()).isEqualTo("matching");
        assertThat(diagnosis.get("verdict").textValue()).isEqualTo("outranked");
        assertThat(get("policies/diagnosis").status()).isEqualTo(200);
        assertRefused(call("GET", "policies/diagnosis", "name=nobody", Optional.empty(), ""), 404, "'nobody'");
        assertRefused(call("GET", "policies/diagnosis", "nam=x", Optional.empty(), ""), 400, "allowed are kind, name");
        assertRefused(call("POST", "policies/matching/release", "", type, "{\"name\":\"x\"}"), 400, "no matching");
        assertRefused(call("POST", "policies/matching/release", "", type, "{}"), 400, "{\"name\": NAME}");
    }

    @Test
    void listsChangesOfDecidingPolicies() {
        JsonNode swap = body(call("GET", "policies/history", "kind=matching&limit=5", Optional.empty(), ""))
                .get(0);

        assertThat(calls).containsExactly("swaps Optional[MATCHING] 5");
        assertThat(swap.get("cause").textValue()).isEqualTo("use by shell");
        assertThat(swap.get("from").get("name").textValue()).isEqualTo("first-fit");
        assertThat(swap.get("to").get("generation").longValue()).isEqualTo(2);
        assertThat(swap.get("addedDelayMicros").longValue()).isEqualTo(345);
        assertRefused(call("GET", "policies/history", "kin=x", Optional.empty(), ""), 400, "allowed are kind, limit");
    }

    @Test
    void listsPoliciesWithTheChoices() {
        JsonNode policies = body(get("policies"));

        assertThat(policies.get("policies").get(0).get("kind").textValue()).isEqualTo("matching");
        JsonNode choice = policies.get("choices").get(0);
        assertThat(choice.get("name").textValue()).isEqualTo("spread");
        assertThat(choice.get("kind").textValue()).isEqualTo("matching");
        assertThat(choice.get("index").longValue()).isEqualTo(4);
    }

    @Test
    void filtersDecisions() {
        call("GET", "decisions", "kind=matching&job=job-1&limit=5", Optional.empty(), "");

        assertThat(calls)
                .containsExactly("decisions DecisionFilter[kind=Optional[MATCHING],"
                        + " policy=Optional.empty, generation=OptionalLong.empty, job=Optional[job-1], pool=Optional.empty,"
                        + " after=0, limit=5]");
        call("GET", "decisions", "generation=7&pool=default&after=12", Optional.empty(), "");
        assertThat(calls)
                .last()
                .asString()
                .contains("generation=OptionalLong[7]", "pool=Optional[default]", "after=12");
        assertRefused(call("GET", "decisions", "generation=x", Optional.empty(), ""), 400, "generation is 'x'");
        assertRefused(call("GET", "decisions", "generation=0", Optional.empty(), ""), 400, "generation is 0");
        assertRefused(call("GET", "decisions", "after=-1", Optional.empty(), ""), 400, "after is -1");
        assertRefused(call("GET", "decisions", "limit=many", Optional.empty(), ""), 400, "'many'");
        assertRefused(call("GET", "decisions", "limit=0", Optional.empty(), ""), 400, "1 to 10000");
        assertRefused(call("GET", "decisions", "kin=x", Optional.empty(), ""), 400, "'kin'");
        assertThat(body(get("decisions/7")).get("policies").get(0).get("kind").textValue())
                .isEqualTo("matching");
        assertRefused(get("decisions/8"), 404, "no decision '8'");
        assertRefused(get("decisions/x"), 404, "no decision 'x'");
    }

    @Test
    void exportsDecisionsAsAStream() throws Exception {
        RestResponse answer = call("GET", "decisions/export", "from=3&to=9", Optional.empty(), "");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ((RestResponse.Stream) answer.body()).writeTo(out);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("from OptionalLong[3] to OptionalLong[9]");
        assertRefused(
                call("GET", "decisions/export", "from=0", Optional.empty(), ""),
                400,
                "from is '0': the number of a decision is allowed");
        assertRefused(
                call("GET", "decisions/export", "from=5&to=4", Optional.empty(), ""),
                400,
                "from is 5: at most to, 4, is allowed");
        assertRefused(call("GET", "decisions/export", "until=4", Optional.empty(), ""), 400, "'until'");
    }

    @Test
    void storesBundles() {
        assertThat(call("PUT", "bundles/" + HASH, "", Optional.of("application/java-archive"), "abc")
                        .status())
                .isEqualTo(201);
        assertRefused(call("PUT", "bundles/" + HASH, "", Optional.empty(), "abcdef"), 413, "at most 5");
        assertRefused(call("PUT", "bundles/xyz", "", Optional.empty(), "abc"), 400, "64 hexadecimal digits");
        assertThat(get("bundles/" + HASH).status()).isEqualTo(200);
        assertRefused(get("bundles/" + "c".repeat(64)), 404, "not stored");
    }

    @Test
    void answersOnlyRequestsForItsOwnHostNames() {
        List<String> names = List.of("localhost");

        assertThat(RestServlet.foreignHost(Optional.of("localhost:8181"), Optional.empty(), names))
                .isEmpty();
        assertThat(RestServlet.foreignHost(Optional.of("127.0.0.1:8181"), Optional.empty(), names))
                .isEmpty();
        assertThat(RestServlet.foreignHost(Optional.of("localhost:8181"), Optional.of("http://localhost:8181"), names))
                .isEmpty();
        assertThat(RestServlet.foreignHost(Optional.of("evil.example:8181"), Optional.empty(), names))
                .isPresent();
        assertThat(RestServlet.foreignHost(Optional.empty(), Optional.empty(), names))
                .isPresent();
        assertThat(RestServlet.foreignHost(Optional.of("localhost:8181"), Optional.of("http://evil.example"), names))
                .isPresent();
        assertThat(RestServlet.foreignHost(Optional.of("localhost:8181"), Optional.of("null"), names))
                .isPresent();
    }

    @Test
    void listsJobsInPagesWithALinkToTheNext() {
        known = 5;
        RestResponse first = call("GET", "jobs", "limit=2", Optional.empty(), "");
        assertThat(body(first)).extracting(job -> job.get("id").asText()).containsExactly("job-1", "job-2");
        assertThat(first.next()).contains("/v1/jobs?after=2&limit=2");
        RestResponse last = call("GET", "jobs", "after=4&limit=2", Optional.empty(), "");
        assertThat(body(last)).extracting(job -> job.get("id").asText()).containsExactly("job-5");
        assertThat(last.next()).isEmpty();
        assertThat(get("jobs").next()).isEmpty();
        known = 1_001;
        assertThat(get("jobs").next()).contains("/v1/jobs?after=1000&limit=1000");
    }

    @Test
    void listsWorkersAndSlotsInPagesOfTheResourceManager() {
        cluster = CompletableFuture.completedFuture(new ClusterDetails(
                List.of(), List.of(), Optional.of(new WorkerId("w-7")), new TreeMap<>(), new TreeMap<>(), List.of()));
        RestResponse workers = call("GET", "workers", "after=w-5&limit=2", Optional.empty(), "");
        assertThat(workers.next()).contains("/v1/workers?after=w-7&limit=2");
        RestResponse slots = get("slots");
        assertThat(slots.next()).contains("/v1/slots?after=w-7&limit=1000");
        assertThat(calls)
                .containsExactly(
                        "cluster " + new ClusterQuery(Optional.of(new WorkerId("w-5")), 2, 0),
                        "cluster " + new ClusterQuery(Optional.empty(), 1_000, 1_000));
    }

    @Test
    void showsPoolsWithWhatTheResourceManagerKnowsAboutThem() {
        cluster = CompletableFuture.completedFuture(new ClusterDetails(
                List.of(),
                List.of(),
                Optional.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                List.of(new ClusterDetails.PoolFigures("gpu", 2, 3, 8_000, 1 << 20, 5_000, 1 << 10)
                        .withSpecs(List.of(new ClusterDetails.SpecDetails(
                                "local", "default", "{2 cpu}", 2, 1, 4, 0.25, 2_100, 3))))));
        JsonNode gpu = body(get("pools/gpu"));
        assertThat(gpu.get("members").asText()).isEqualTo("labels gpu");
        assertThat(gpu.get("policies").get("matching").get("selector").asText()).isEqualTo("first-fit");
        assertThat(gpu.get("workers").asInt()).isEqualTo(2);
        assertThat(gpu.get("freeCpuMillis").asLong()).isEqualTo(5_000);
        JsonNode spec = gpu.get("specs").get(0);
        assertThat(spec.get("costPerHour").asDouble()).isEqualTo(0.25);
        assertThat(spec.get("startMillis").asLong()).isEqualTo(2_100);
        assertThat(spec.get("startLearnedFrom").asInt()).isEqualTo(3);
        assertThat(body(get("pools")))
                .extracting(pool -> pool.get("name").asText())
                .containsExactly("gpu", "default");
        cluster = CompletableFuture.failedFuture(new IllegalStateException("no leader"));
        assertThat(body(get("pools/gpu")).has("workers")).as("not known").isFalse();
        assertRefused(get("pools/cpu"), 404, "no pool 'cpu': there are gpu, default");
    }

    @Test
    void refusesInvalidPageParameters() {
        for (String list : List.of("jobs", "workers", "slots")) {
            for (String limit : List.of("0", "1001", "-1", "x")) {
                assertRefused(
                        call("GET", list, "limit=" + limit, Optional.empty(), ""),
                        400,
                        "limit is '" + limit + "': 1 to 1000 is allowed");
            }
            assertRefused(call("GET", list, "page=2", Optional.empty(), ""), 400, "parameter 'page' is not known");
        }
        assertRefused(call("GET", "jobs", "after=x", Optional.empty(), ""), 400, "submissionIndex of a job");
        assertRefused(call("GET", "workers", "after=!", Optional.empty(), ""), 400, "worker id '!'");
    }
}
