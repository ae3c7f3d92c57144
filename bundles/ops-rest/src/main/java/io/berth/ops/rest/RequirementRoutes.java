package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;
import static io.berth.ops.rest.Routes.body;
import static io.berth.ops.rest.Routes.requireType;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.operations.JobOperations;
import io.berth.core.api.operations.JobOperations.RequirementsResult;
import io.berth.spi.JobId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a job requires, below {@code /v1/jobs/ID/requirements}. Stateless; thread-safe. */
final class RequirementRoutes {

    private static final int MAX_BYTES = 1 << 20;
    private static final List<String> JSON = List.of("application/json");
    private static final String ALLOWED = "allowed is {\"revision\": NUMBER, \"vertices\": [{\"vertex\": NAME,"
            + " \"minimum\": NUMBER, \"desired\": NUMBER, \"maximum\": NUMBER}]} as GET answers it, where revision and"
            + " desired may be missing";

    private final JobOperations jobs;
    private final Json json;
    private final Waiting waiting;

    RequirementRoutes(JobOperations jobs, Json json, Waiting waiting) {
        this.jobs = jobs;
        this.json = json;
        this.waiting = waiting;
    }

    RestResponse get(JobId job) {
        return RestResponse.ok(waiting.await(jobs.requirements(job))
                .orElseThrow(() -> waiting.await(jobs.job(job)).isPresent() ? ended(job) : unknown(job)));
    }

    private static RefusedException ended(JobId job) {
        return new RefusedException(409, "job " + job + " has already ended");
    }

    private static RefusedException unknown(JobId job) {
        return new RefusedException(404, "no job '" + job + "'");
    }

    RestResponse put(RestRequest request, JobId job) throws IOException {
        requireType(request, JSON);
        JsonNode body = json.read(body(request, MAX_BYTES, "a change of requirements"));
        OptionalLong basis =
                body.has("revision") ? OptionalLong.of(number(body.path("revision"))) : OptionalLong.empty();
        JsonNode vertices = body.path("vertices");
        if (!vertices.isArray() || body.size() != (basis.isPresent() ? 2 : 1)) {
            throw refused();
        }
        List<VertexBounds> bounds = new ArrayList<>();
        vertices.forEach(vertex -> bounds.add(read(vertex)));
        RequirementsResult result = waiting.await(jobs.changeRequirements(job, basis, bounds));
        if (result instanceof RequirementsResult.Changed changed) {
            return RestResponse.ok(changed.bounds());
        }
        if (result instanceof RequirementsResult.Refused refused) {
            return RestRouter.refused(refused.problems());
        }
        if (result instanceof RequirementsResult.Conflict conflict) {
            return RestResponse.of(
                    409,
                    fields(
                            "error",
                            "another change came first: job " + job + " has requirements of revision "
                                    + conflict.bounds().revision()
                                    + ", or a later one is being stored; nothing was changed, read them and try again",
                            "requirements",
                            conflict.bounds()));
        }
        throw result instanceof RequirementsResult.AlreadyEnded ? ended(job) : unknown(job);
    }

    private static VertexBounds read(JsonNode vertex) {
        Optional<JsonNode> desired = Optional.ofNullable(vertex.get("desired"));
        if (!vertex.path("vertex").isTextual() || vertex.size() != (desired.isPresent() ? 4 : 3)) {
            throw refused();
        }
        int maximum = bound(vertex.path("maximum"));
        return new VertexBounds(
                vertex.path("vertex").textValue(),
                bound(vertex.path("minimum")),
                desired.map(RequirementRoutes::bound).orElse(maximum),
                maximum);
    }

    private static int bound(JsonNode node) {
        if (!node.isInt()) {
            throw refused();
        }
        return node.intValue();
    }

    private static long number(JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw refused();
        }
        return node.longValue();
    }

    private static RefusedException refused() {
        return new RefusedException(400, ALLOWED);
    }
}
