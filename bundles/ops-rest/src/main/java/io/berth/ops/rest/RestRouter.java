package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.BundleRef;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.job.Problem;
import io.berth.core.api.operations.ClusterOperations;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.CancelResult;
import io.berth.core.api.operations.JobOperations.SubmitResult;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.operations.TooLargeException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Translates requests below {@code /v1} into operations. Holds no state; any thread, which it blocks for at most the
 * answer time-out, and while a bundle is read. docs/openapi.yaml describes the same.
 */
final class RestRouter {

    private static final Logger LOG = LoggerFactory.getLogger(RestRouter.class);
    private static final List<String> TEXTS = List.of(
            "application/json", "application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml");
    private static final List<String> JARS = List.of("application/octet-stream", "application/java-archive");
    private static final int MAX_CHOICE_BYTES = 4096;

    private final JobOperations jobs;
    private final ClusterOperations cluster;
    private final PolicyOperations policies;
    private final Json json;
    private final String version;
    private final RestSettings settings;

    /**
     * What may change.
     *
     * @param answerTimeoutMillis how long an operation may take
     * @param maxDescriptionBytes size of a job description
     */
    record RestSettings(long answerTimeoutMillis, int maxDescriptionBytes) {}

    RestRouter(
            JobOperations jobs,
            ClusterOperations cluster,
            PolicyOperations policies,
            Json json,
            String version,
            RestSettings settings) {
        this.jobs = jobs;
        this.cluster = cluster;
        this.policies = policies;
        this.json = json;
        this.version = version;
        this.settings = settings;
    }

    /** Never throws: what goes wrong is an answer. */
    RestResponse handle(RestRequest request) {
        try {
            return route(request);
        } catch (RefusedException refusal) {
            return RestResponse.error(refusal.status(), refusal.getMessage());
        } catch (TooLargeException refusal) {
            return RestResponse.error(413, refusal.getMessage());
        } catch (IllegalArgumentException refusal) {
            return RestResponse.error(400, refusal.getMessage());
        } catch (TimedBody.SlowBodyException slow) {
            LOG.info("{} /v1/{}: {}", request.method(), request.path(), slow.getMessage());
            return RestResponse.error(408, slow.getMessage());
        } catch (IOException failure) {
            LOG.info("{} /v1/{}: the body could not be read: {}", request.method(), request.path(),
                    failure.toString());
            return RestResponse.error(400, "the body could not be read: " + failure.getMessage());
        } catch (RuntimeException failure) {
            LOG.error("{} /v1/{} failed", request.method(), request.path(), failure);
            return RestResponse.error(500, "failed: " + failure + "; the log of the control plane tells more");
        }
    }

    private RestResponse route(RestRequest request) throws IOException {
        List<String> path = request.path();
        String first = path.isEmpty() ? "" : path.get(0);
        Optional<String> second = path.size() > 1 ? Optional.of(path.get(1)) : Optional.empty();
        return switch (first + "/" + path.size()) {
            case "status/1" -> on(request, Map.of("GET", this::status));
            case "jobs/1" -> on(request, Map.of("GET", () -> RestResponse.ok(await(jobs.jobs())), "POST",
                    () -> submit(request)));
            case "jobs/2" -> on(request, Map.of("GET", () -> job(second.get()), "DELETE", () -> cancel(second.get())));
            case "jobs/3" -> {
                if (!path.get(2).equals("cancel")) {
                    throw unknown(request);
                }
                yield on(request, Map.of("POST", () -> cancel(second.get())));
            }
            case "workers/1" -> on(request, Map.of("GET", () -> RestResponse.ok(clusterDetails().workers())));
            case "slots/1" -> on(request, Map.of("GET", () -> RestResponse.ok(clusterDetails().slots())));
            case "policies/1" -> on(request, Map.of("GET", this::policies));
            case "policies/2" -> switch (second.get()) {
                case "history" -> on(request, Map.of("GET", () -> swaps(request)));
                case "diagnosis" -> on(request, Map.of("GET", () -> diagnosis(request)));
                default -> on(request, Map.of("PUT", () -> usePolicy(request, second.get())));
            };
            case "policies/3" -> policyAction(request, second.get(), path.get(2));
            case "decisions/1" -> on(request, Map.of("GET", () -> decisions(request)));
            case "decisions/2" -> on(request, Map.of("GET", () -> decision(second.get())));
            case "bundles/2" -> on(request, Map.of("GET", () -> bundle(second.get()), "PUT",
                    () -> storeBundle(request, second.get())));
            default -> throw unknown(request);
        };
    }

    private interface Action {
        RestResponse run() throws IOException;
    }

    private static RestResponse on(RestRequest request, Map<String, Action> actions) throws IOException {
        // The container leaves the body of a HEAD out.
        Action action = actions.get(request.method().equals("HEAD") ? "GET" : request.method());
        if (action == null) {
            List<String> allow = actions.keySet().stream().sorted().toList();
            if (request.method().equals("OPTIONS")) {
                return new RestResponse(200, fields("allowed", allow), allow);
            }
            return new RestResponse(
                    405,
                    fields("error", request.method() + " /v1/" + String.join("/", request.path())
                            + ": allowed are " + String.join(", ", allow)),
                    allow);
        }
        return action.run();
    }

    private static RefusedException unknown(RestRequest request) {
        return new RefusedException(404, "/v1/" + String.join("/", request.path())
                + " is not known: see jobs, workers, slots, policies, decisions, bundles and status below /v1");
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
            Throwable cause = failure.getCause();
            if (cause instanceof IllegalArgumentException refusal) {
                throw refusal;
            }
            throw new RefusedException(503, cause.getMessage() + "; try again");
        }
    }

    private ClusterDetails clusterDetails() {
        return await(cluster.cluster());
    }

    private RestResponse status() {
        String state = "serving";
        int workers = 0;
        int slots = 0;
        try {
            ClusterDetails details = clusterDetails();
            workers = (int) details.workers().stream()
                    .filter(worker -> worker.state().equals("registered"))
                    .count();
            slots = details.slots().size();
        } catch (RefusedException failure) {
            state = failure.getMessage();
        }
        return RestResponse.ok(fields(
                "version", version,
                "masterAddress", cluster.masterAddress(),
                "resourceManager", state,
                "workers", workers,
                "slots", slots));
    }

    // Jobs

    private RestResponse submit(RestRequest request) throws IOException {
        requireType(request, TEXTS);
        String text = text(body(request, settings.maxDescriptionBytes(), "a job description"));
        SubmitResult result = await(jobs.submit(text));
        if (result instanceof SubmitResult.Submitted submitted) {
            return RestResponse.of(201, fields("id", submitted.job()));
        }
        List<Problem> problems = ((SubmitResult.Refused) result).problems();
        return RestResponse.of(400, fields(
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
        return new RefusedException(404, "no job '" + id + "': GET /v1/jobs lists all");
    }

    private RestResponse job(String id) {
        return RestResponse.ok(await(jobs.job(jobId(id))).orElseThrow(() -> noJob(id)));
    }

    private RestResponse cancel(String id) {
        CancelResult result = await(jobs.cancel(jobId(id), "canceled by a user"));
        return switch (result) {
            case CANCELING -> RestResponse.of(202, fields("id", id, "result", "canceling"));
            case ALREADY_ENDED -> throw new RefusedException(409, "job " + id + " has already ended");
            case UNKNOWN -> throw noJob(id);
        };
    }

    // Policies

    private RestResponse policies() {
        return RestResponse.ok(fields("policies", policies.policies(), "choices", policies.choices()));
    }

    private static PolicyKind kind(String text) {
        return Arrays.stream(PolicyKind.values())
                .filter(kind -> kind.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new RefusedException(404, "no policy kind '" + text + "': allowed are "
                        + String.join(", ", Arrays.stream(PolicyKind.values()).map(PolicyKind::label).toList())));
    }

    private RestResponse usePolicy(RestRequest request, String kindText) throws IOException {
        PolicyKind kind = kind(kindText);
        requireType(request, List.of("application/json"));
        JsonNode body = json.read(body(request, MAX_CHOICE_BYTES, "a choice of policy"));
        JsonNode name = body.path("name");
        OptionalLong index = index(body);
        if (!name.isTextual() || body.size() != 1 + (index.isPresent() ? 1 : 0)) {
            throw new RefusedException(400, "allowed is {\"name\": NAME} or {\"name\": NAME, \"index\": INDEX}; an empty"
                    + " name chooses by service ranking");
        }
        return used(kind, name.textValue(), kept(() -> policies.use(kind, name.textValue(), index, "REST")));
    }

    private RestResponse policyAction(RestRequest request, String kindText, String action) throws IOException {
        if (action.equals("revert")) {
            return on(request, Map.of("POST", () -> revertPolicy(request, kindText)));
        }
        if (action.equals("release")) {
            return on(request, Map.of("POST", () -> releasePolicy(request, kindText)));
        }
        throw unknown(request);
    }

    private RestResponse revertPolicy(RestRequest request, String kindText) throws IOException {
        PolicyKind kind = kind(kindText);
        requireType(request, List.of("application/json"));
        JsonNode body = json.read(body(request, MAX_CHOICE_BYTES, "an index"));
        OptionalLong index = index(body);
        if (!body.isObject() || body.size() != (index.isPresent() ? 1 : 0)) {
            throw new RefusedException(400, "allowed is {} or {\"index\": INDEX}");
        }
        UseResult result = kept(() -> policies.revert(kind, index, "REST"));
        return used(kind, policies.choice(kind).orElse(""), result);
    }

    private RestResponse releasePolicy(RestRequest request, String kindText) throws IOException {
        PolicyKind kind = kind(kindText);
        requireType(request, List.of("application/json"));
        JsonNode body = json.read(body(request, MAX_CHOICE_BYTES, "a name"));
        JsonNode name = body.path("name");
        if (!name.isTextual() || body.size() != 1) {
            throw new RefusedException(400, "allowed is {\"name\": NAME}");
        }
        policies.release(kind, name.textValue(), "REST");
        return RestResponse.ok(fields("kind", kind, "name", name.textValue()));
    }

    private RestResponse diagnosis(RestRequest request) {
        checkParameters(request, List.of("kind", "name"));
        Optional<String> name = parameter(request, "name");
        Optional<PolicyKind> kind = parameter(request, "kind").map(RestRouter::kind);
        var found = policies.diagnose(kind, name);
        if (found.isEmpty() && name.isPresent()) {
            throw new RefusedException(404, "no installed bundle offers a policy '" + name.get()
                    + "': GET /v1/policies lists all");
        }
        return RestResponse.ok(found);
    }

    /** What cannot be kept is not the caller's fault, and may go well later. */
    private static UseResult kept(Supplier<UseResult> change) {
        try {
            return change.get();
        } catch (IllegalStateException unkept) {
            throw new RefusedException(503, unkept.getMessage());
        }
    }

    private RestResponse swaps(RestRequest request) {
        checkParameters(request, List.of("kind", "limit"));
        return RestResponse.ok(policies.swaps(parameter(request, "kind").map(RestRouter::kind), limit(request)));
    }

    private static OptionalLong index(JsonNode body) {
        JsonNode index = body.path("index");
        if (index.isMissingNode()) {
            return OptionalLong.empty();
        }
        if (!index.isIntegralNumber() || !index.canConvertToLong() || index.longValue() < 0) {
            throw new RefusedException(400, "index is " + index + ": a whole number from 0 is allowed");
        }
        return OptionalLong.of(index.longValue());
    }

    private static RestResponse used(PolicyKind kind, String name, UseResult result) {
        if (result instanceof UseResult.Conflict conflict) {
            return RestResponse.of(409, fields(
                    "error", "another change came first: " + conflict.current() + "; nothing was changed, look and"
                            + " try again with that index",
                    "current", conflict.current()));
        }
        return RestResponse.ok(fields("kind", kind, "name", name, "index", ((UseResult.Changed) result).index()));
    }

    private RestResponse decisions(RestRequest request) {
        checkParameters(request, List.of("kind", "policy", "generation", "job", "pool", "after", "limit"));
        return RestResponse.ok(policies.decisions(new DecisionFilter(
                parameter(request, "kind").map(RestRouter::kind),
                parameter(request, "policy"),
                number(request, "generation"),
                parameter(request, "job"),
                parameter(request, "pool"),
                number(request, "after").orElse(0),
                limit(request))));
    }

    private static void checkParameters(RestRequest request, List<String> allowed) {
        for (String parameter : request.query().keySet()) {
            if (!allowed.contains(parameter)) {
                throw new RefusedException(400, "parameter '" + parameter + "' is not known: allowed are "
                        + String.join(", ", allowed));
            }
        }
    }

    private static OptionalLong number(RestRequest request, String name) {
        Optional<String> given = parameter(request, name);
        try {
            return given.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(given.get()));
        } catch (NumberFormatException failure) {
            throw new RefusedException(400, name + " is '" + given.get() + "': a whole number is allowed");
        }
    }

    private static int limit(RestRequest request) {
        String limit = request.query().getOrDefault("limit", "100");
        try {
            return Integer.parseInt(limit);
        } catch (NumberFormatException failure) {
            throw new RefusedException(400, "limit is '" + limit + "': 1 to 10000 is allowed");
        }
    }

    private static Optional<String> parameter(RestRequest request, String name) {
        return Optional.ofNullable(request.query().get(name)).filter(value -> !value.isBlank());
    }

    private RestResponse decision(String text) {
        RefusedException none = new RefusedException(404, "no decision '" + text + "': GET /v1/decisions lists them");
        try {
            return RestResponse.ok(policies.decision(Long.parseLong(text)).orElseThrow(() -> none));
        } catch (NumberFormatException noNumber) {
            throw none;
        }
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
        BundleRef ref = jobs.storeBundle(sha256, request.body());
        return RestResponse.of(201, ref);
    }

    // Bodies

    private static void requireType(RestRequest request, List<String> allowed) {
        String type = request.contentType().map(given -> given.toLowerCase(Locale.ROOT)).orElse("missing");
        if (!allowed.contains(type)) {
            throw new RefusedException(415, "Content-Type is " + type + ": allowed are " + String.join(", ", allowed));
        }
    }

    private static byte[] body(RestRequest request, int limit, String what) throws IOException {
        if (request.contentLength().filter(length -> length > limit).isPresent()) {
            throw new RefusedException(413, what + " may have at most " + limit + " bytes");
        }
        byte[] body = request.body().readNBytes(limit + 1);
        if (body.length > limit) {
            throw new RefusedException(413, what + " may have at most " + limit + " bytes");
        }
        return body;
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
        } catch (CharacterCodingException failure) {
            throw new RefusedException(400, "the body is not text in UTF-8");
        }
    }
}
