package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;
import static io.berth.ops.rest.Routes.body;
import static io.berth.ops.rest.Routes.checkParameters;
import static io.berth.ops.rest.Routes.on;
import static io.berth.ops.rest.Routes.page;
import static io.berth.ops.rest.Routes.pageSize;
import static io.berth.ops.rest.Routes.parameter;
import static io.berth.ops.rest.Routes.requireType;
import static io.berth.ops.rest.Routes.text;
import static io.berth.ops.rest.Routes.unknown;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.access.TokenOperations;
import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.ClusterOperations.BlockResult;
import io.berth.core.api.operations.ClusterOperations.DrainResult;
import io.berth.core.api.operations.ClusterOperations.LabelResult;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.operations.TooLargeException;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates requests below {@code /v1} into operations. Stateless; thread-safe. Blocks for at most the answer
 * timeout, and while it reads a bundle. docs/openapi.yaml describes the same interface.
 */
final class RestRouter {

    private static final Logger LOG = LoggerFactory.getLogger(RestRouter.class);
    private static final List<String> TEXTS =
            List.of("application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml");
    private static final List<String> JARS = List.of("application/octet-stream", "application/java-archive");
    private static final List<String> JSON = List.of("application/json");
    private static final int MAX_BLOCK_BYTES = 4096;
    private static final int MAX_LABELS_BYTES = 64 << 10;

    private final JobOperations jobs;
    private final ClusterOperations cluster;
    private final PolicyRoutes policies;
    private final RequirementRoutes requirements;
    private final LogRoutes logs;
    private final RoleOperations roles;
    private final TokenRoutes tokens;
    private final Access access;
    private final Json json;
    private final String version;
    private final RestSettings settings;

    /**
     * The settings that can change.
     *
     * @param answerTimeoutMillis how long an operation may take
     * @param maxDescriptionBytes size of a job description
     * @param authenticates whether users must authenticate
     */
    record RestSettings(long answerTimeoutMillis, int maxDescriptionBytes, boolean authenticates) {}

    RestRouter(
            JobOperations jobs,
            ClusterOperations cluster,
            PolicyOperations policies,
            RoleOperations roles,
            TokenOperations tokens,
            Json json,
            String version,
            RestSettings settings) {
        this.jobs = jobs;
        this.cluster = cluster;
        this.policies = new PolicyRoutes(policies, json);
        this.requirements = new RequirementRoutes(jobs, json, this::await);
        this.logs = new LogRoutes(cluster, this::await);
        this.roles = roles;
        this.tokens = new TokenRoutes(tokens, json, this::await);
        this.access = new Access(tokens, settings.authenticates(), this::await);
        this.json = json;
        this.version = version;
        this.settings = settings;
    }

    /** Never throws: each failure becomes an answer. */
    RestResponse handle(RestRequest request) {
        try {
            return route(access.checked(request));
        } catch (RefusedException refusal) {
            return RestResponse.error(refusal.status(), String.valueOf(refusal.getMessage()));
        } catch (TooLargeException refusal) {
            return RestResponse.error(413, String.valueOf(refusal.getMessage()));
        } catch (IllegalArgumentException refusal) {
            return RestResponse.error(400, String.valueOf(refusal.getMessage()));
        } catch (TimedBody.SlowBodyException slow) {
            LOG.info("{} /v1/{}: {}", request.method(), request.path(), slow.getMessage());
            return RestResponse.error(408, String.valueOf(slow.getMessage()));
        } catch (TimedBody.BrokenBodyException broken) {
            LOG.info("{} /v1/{}: {}", request.method(), request.path(), broken.getMessage());
            return RestResponse.error(400, String.valueOf(broken.getMessage()));
        } catch (IOException failure) {
            LOG.warn("{} /v1/{} failed", request.method(), request.path(), failure);
            return RestResponse.error(503, failure.getMessage() + "; try again");
        } catch (RuntimeException failure) {
            LOG.error("{} /v1/{} failed", request.method(), request.path(), failure);
            return RestResponse.error(500, "failed: " + failure + "; see the log of the control plane");
        }
    }

    private RestResponse route(RestRequest request) throws IOException {
        List<String> path = request.path();
        String first = path.isEmpty() ? "" : path.get(0);
        Optional<String> second = path.size() > 1 ? Optional.of(path.get(1)) : Optional.empty();
        return switch (first + "/" + path.size()) {
            case "status/1" -> on(request, Map.of("GET", this::status));
            case "jobs/1" -> on(request, Map.of("GET", () -> jobs(request), "POST", () -> submit(request)));
            case "jobs/2" ->
                on(request, Map.of("GET", () -> job(second.get()), "DELETE", () -> cancel(request, second.get())));
            case "jobs/3" -> jobAction(request, second.get(), path.get(2));
            case "jobs/5" -> taskLog(request);
            case "workers/1" -> on(request, Map.of("GET", () -> workers(request)));
            case "slots/1" -> on(request, Map.of("GET", () -> slots(request)));
            case "workers/3" -> workerAction(request, second.get(), path.get(2));
            case "policies/1", "policies/2", "policies/3", "decisions/1", "decisions/2" -> policies.route(request);
            case "tokens/1", "tokens/2" -> tokens.route(request);
            case "pools/1", "pools/2" -> policies.pools(request, this::poolFigures);
            case "bundles/2" ->
                on(request, Map.of("GET", () -> bundle(second.get()), "PUT", () -> storeBundle(request, second.get())));
            default -> throw unknown(request);
        };
    }

    private <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(settings.answerTimeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException failure) {
            throw new RefusedException(503, "no answer within " + settings.answerTimeoutMillis() + " ms; try again");
        } catch (InterruptedException failure) {
            Thread.currentThread().interrupt();
            throw new RefusedException(503, "the control plane ends");
        } catch (ExecutionException failure) {
            Throwable cause = Objects.requireNonNull(failure.getCause());
            if (cause instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw new RefusedException(503, cause.getMessage() + "; try again");
        }
    }

    private RestResponse workers(RestRequest request) {
        checkParameters(request, List.of("after", "limit"));
        ClusterDetails page = await(cluster.cluster(new ClusterQuery(worker(request), pageSize(request), 0)));
        return page(request, page.workers(), page.next().map(WorkerId::value));
    }

    private RestResponse slots(RestRequest request) {
        checkParameters(request, List.of("after", "limit"));
        ClusterDetails page =
                await(cluster.cluster(new ClusterQuery(worker(request), ClusterQuery.MAX_PAGE, pageSize(request))));
        return page(request, page.slots(), page.next().map(WorkerId::value));
    }

    private static Optional<WorkerId> worker(RestRequest request) {
        return parameter(request, "after").map(WorkerId::new);
    }

    private RestResponse jobAction(RestRequest request, String job, String action) throws IOException {
        return switch (action) {
            case "cancel" -> on(request, Map.of("POST", () -> cancel(request, job)));
            case "history" -> on(request, Map.of("GET", () -> history(job)));
            case "logs" -> on(request, Map.of("GET", () -> logs.list(request, details(job))));
            case "requirements" ->
                on(request, Map.of("GET", () -> requirements.get(jobId(job)), "PUT", () -> {
                    requireMayChange(request, job);
                    return requirements.put(request, jobId(job));
                }));
            default -> throw unknown(request);
        };
    }

    private RestResponse taskLog(RestRequest request) throws IOException {
        List<String> path = request.path();
        if (!path.get(2).equals("logs")) {
            throw unknown(request);
        }
        return on(request, Map.of("GET", () -> logs.ofTask(request, jobId(path.get(1)), path.get(3), path.get(4))));
    }

    private RestResponse workerAction(RestRequest request, String worker, String action) throws IOException {
        return switch (action) {
            case "block" -> on(request, Map.of("POST", () -> blockWorker(request, worker)));
            case "unblock" -> on(request, Map.of("POST", () -> blocks(await(cluster.unblock(worker)))));
            case "drain" -> on(request, Map.of("POST", () -> drainWorker(request, worker)));
            case "undrain" -> on(request, Map.of("POST", () -> drained(await(cluster.undrain(worker)))));
            case "logs" -> on(request, Map.of("GET", () -> logs.ofWorker(request, worker)));
            case "labels" -> on(request, Map.of("POST", () -> relabelWorker(request, worker)));
            default -> throw unknown(request);
        };
    }

    private RestResponse relabelWorker(RestRequest request, String worker) throws IOException {
        requireType(request, JSON);
        JsonNode body = json.read(body(request, MAX_LABELS_BYTES, "a change of labels"));
        SortedMap<String, String> labels = new TreeMap<>();
        SortedMap<String, String> taints = new TreeMap<>();
        List<String> removedLabels = new ArrayList<>();
        List<String> removedTaints = new ArrayList<>();
        boolean known = body.isObject()
                && readPairs(body, "labels", labels, removedLabels)
                && readPairs(body, "taints", taints, removedTaints)
                && body.size() == (body.has("labels") ? 1 : 0) + (body.has("taints") ? 1 : 0);
        if (!known) {
            throw new RefusedException(
                    400,
                    "allowed is {\"labels\": {KEY: TEXT or null}, \"taints\": {KEY: TEXT or null}}, where null removes,"
                            + " for example {\"labels\": {\"zone\": \"a\"}, \"taints\": {\"maintenance\": null}}");
        }
        LabelResult result =
                await(cluster.relabel(worker, new LabelChange(labels, removedLabels, taints, removedTaints)));
        return result instanceof LabelResult.Refused refused
                ? refused(refused.problems())
                : RestResponse.ok(((LabelResult.Done) result)
                        .workers().stream()
                                .map(one -> fields(
                                        "worker",
                                        one.worker(),
                                        "labels",
                                        one.attributes().labels(),
                                        "taints",
                                        one.attributes().taints(),
                                        "problem",
                                        one.problem()))
                                .toList());
    }

    private static boolean readPairs(JsonNode body, String name, SortedMap<String, String> set, List<String> removed) {
        JsonNode pairs = body.path(name);
        if (pairs.isMissingNode()) {
            return true;
        }
        if (!pairs.isObject()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> pair : pairs.properties()) {
            if (pair.getValue().isNull()) {
                removed.add(pair.getKey());
            } else if (pair.getValue().isTextual()) {
                set.put(pair.getKey(), pair.getValue().textValue());
            } else {
                return false;
            }
        }
        return true;
    }

    private RestResponse blockWorker(RestRequest request, String worker) throws IOException {
        requireType(request, JSON);
        JsonNode body = json.read(body(request, MAX_BLOCK_BYTES, "a block"));
        JsonNode duration = body.path("for");
        JsonNode reason = body.path("reason");
        if (!duration.isTextual() || !reason.isTextual() || body.size() != 2) {
            throw new RefusedException(
                    400,
                    "allowed is {\"for\": DURATION, \"reason\": TEXT}, for example {\"for\":"
                            + " \"10m\", \"reason\": \"its disk is full\"}");
        }
        return blocks(await(cluster.block(worker, duration.textValue(), reason.textValue())));
    }

    private RestResponse drainWorker(RestRequest request, String worker) throws IOException {
        requireType(request, JSON);
        JsonNode body = json.read(body(request, MAX_BLOCK_BYTES, "a drain"));
        JsonNode deadline = body.path("deadline");
        JsonNode reason = body.path("reason");
        boolean dated = !deadline.isMissingNode();
        if (!reason.isTextual() || dated && !deadline.isTextual() || body.size() != (dated ? 2 : 1)) {
            throw new RefusedException(
                    400,
                    "allowed is {\"reason\": TEXT, \"deadline\": DURATION}, where the deadline may be missing, for example"
                            + " {\"reason\": \"drained by ann\", \"deadline\": \"10m\"}");
        }
        return drained(await(cluster.drain(
                worker, dated ? Optional.of(deadline.textValue()) : Optional.empty(), reason.textValue())));
    }

    private static RestResponse drained(DrainResult result) {
        return result instanceof DrainResult.Refused refused
                ? refused(refused.problems())
                : RestResponse.ok(((DrainResult.Done) result)
                        .workers().stream()
                                .map(one -> fields(
                                        "worker",
                                        one.worker(),
                                        "leavingReason",
                                        one.leaving().map(WorkerLeave::reason).orElse(""),
                                        "leavingMillis",
                                        one.leaving()
                                                .filter(WorkerLeave::hasDeadline)
                                                .map(WorkerLeave::millis)
                                                .orElse(-1L),
                                        "problem",
                                        one.problem()))
                                .toList());
    }

    private static RestResponse blocks(BlockResult result) {
        return result instanceof BlockResult.Refused refused
                ? refused(refused.problems())
                : RestResponse.ok(((BlockResult.Done) result).blocks());
    }

    static RestResponse refused(List<Problem> problems) {
        return RestResponse.of(
                400,
                fields(
                        "error",
                        "the request has " + problems.size() + (problems.size() == 1 ? " problem" : " problems")
                                + "; nothing was changed",
                        "problems",
                        problems));
    }

    private List<PoolFigures> poolFigures() {
        try {
            return await(cluster.cluster(ClusterQuery.NUMBERS)).pools();
        } catch (RefusedException withoutResourceManager) {
            return List.of();
        }
    }

    private RestResponse status() {
        String state = "serving";
        int workers = 0;
        int slots = 0;
        try {
            ClusterDetails details = await(cluster.cluster(ClusterQuery.NUMBERS));
            workers = details.workerStates().getOrDefault("registered", 0);
            slots = details.slotStates().values().stream()
                    .mapToInt(Integer::intValue)
                    .sum();
        } catch (RefusedException failure) {
            state = String.valueOf(failure.getMessage());
        }
        return RestResponse.ok(fields(
                "version", version,
                "masterAddress", cluster.masterAddress(),
                "resourceManager", state,
                "workers", workers,
                "slots", slots,
                "roles", roles.roles()));
    }

    // Jobs

    private RestResponse jobs(RestRequest request) {
        checkParameters(request, List.of("after", "limit"));
        long after = index(request);
        List<JobDetails> later = await(jobs.jobs()).stream()
                .filter(job -> job.submissionIndex() > after)
                .limit(pageSize(request) + 1L)
                .toList();
        List<JobDetails> page = later.subList(0, Math.min(later.size(), pageSize(request)));
        return page(
                request,
                page,
                later.size() > page.size()
                        ? Optional.of(Long.toString(page.get(page.size() - 1).submissionIndex()))
                        : Optional.empty());
    }

    private static long index(RestRequest request) {
        String after = parameter(request, "after").orElse("0");
        if (!after.matches("[0-9]{1,18}")) {
            throw new RefusedException(400, "after is '" + after + "': allowed is the submissionIndex of a job");
        }
        return Long.parseLong(after);
    }

    private RestResponse submit(RestRequest request) throws IOException {
        requireType(request, TEXTS);
        String text = text(body(request, settings.maxDescriptionBytes(), "a job description"));
        SubmitResult result = await(jobs.submit(text, request.idempotencyKey(), request.user()));
        if (result instanceof SubmitResult.Submitted submitted) {
            return RestResponse.of(201, fields("id", submitted.job()));
        }
        if (result instanceof SubmitResult.Repeated repeated) {
            return RestResponse.ok(fields("id", repeated.job()));
        }
        List<Problem> problems = ((SubmitResult.Refused) result).problems();
        return RestResponse.of(
                400,
                fields(
                        "error",
                        "the job description has " + problems.size() + (problems.size() == 1 ? " problem" : " problems")
                                + "; nothing was submitted",
                        "problems",
                        problems));
    }

    private static JobId jobId(String text) {
        try {
            return new JobId(text);
        } catch (IllegalArgumentException noId) {
            throw noJob(text);
        }
    }

    private static RefusedException noJob(String id) {
        return new RefusedException(404, "no job '" + id + "'");
    }

    private RestResponse job(String id) {
        return RestResponse.ok(details(id));
    }

    private JobDetails details(String id) {
        return await(jobs.job(jobId(id))).orElseThrow(() -> noJob(id));
    }

    private RestResponse history(String id) {
        JobDetails job = details(id);
        return RestResponse.ok(fields(
                "states",
                job.history(),
                "failures",
                job.events().failures(),
                "rescales",
                job.events().rescales()));
    }

    /** An operator may change each job, so the job is asked for only for others. */
    private void requireMayChange(RestRequest request, String id) {
        if (request.user()
                .filter(user -> !user.role().includes(UserRole.OPERATOR))
                .isPresent()) {
            Access.requireMayChange(request, id, details(id).submitter());
        }
    }

    private RestResponse cancel(RestRequest request, String id) {
        requireMayChange(request, id);
        CancelResult result = await(jobs.cancel(
                jobId(id), "canceled by " + request.user().map(User::name).orElse("a user")));
        return switch (result) {
            case CANCELING -> RestResponse.of(202, fields("id", id, "result", "canceling"));
            case ALREADY_ENDED -> throw new RefusedException(409, "job " + id + " has already ended");
            case UNKNOWN -> throw noJob(id);
        };
    }

    // Bundles

    private RestResponse bundle(String sha256) {
        return RestResponse.ok(jobs.bundle(sha256)
                .orElseThrow(() -> new RefusedException(
                        404, "bundle " + sha256 + " is not stored: PUT /v1/bundles/" + sha256 + " stores it")));
    }

    private RestResponse storeBundle(RestRequest request, String sha256) throws IOException {
        if (request.contentType().isPresent()) {
            requireType(request, JARS);
        }
        try {
            return RestResponse.of(201, jobs.storeBundle(sha256, request.body()));
        } catch (IllegalStateException notNow) {
            throw new RefusedException(503, String.valueOf(notNow.getMessage()));
        }
    }
}
