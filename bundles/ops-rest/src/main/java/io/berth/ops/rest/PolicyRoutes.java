package io.berth.ops.rest;

import static io.berth.ops.rest.RestResponse.fields;
import static io.berth.ops.rest.Routes.body;
import static io.berth.ops.rest.Routes.checkParameters;
import static io.berth.ops.rest.Routes.on;
import static io.berth.ops.rest.Routes.parameter;
import static io.berth.ops.rest.Routes.requireType;
import static io.berth.ops.rest.Routes.unknown;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.core.api.gateway.ClusterDetails.PoolFigures;
import io.berth.core.api.operations.PolicyOperations;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.operations.PolicyOperations.PoolDetails;
import io.berth.core.api.operations.PolicyOperations.UseResult;
import io.berth.core.api.operations.ShadowOperations;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.spi.PolicyKind;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.Supplier;

/** Translates requests below {@code /v1/policies}, {@code /v1/decisions} and {@code /v1/pools}. Stateless; thread-safe. */
final class PolicyRoutes {

    private static final int MAX_CHOICE_BYTES = 4096;

    private final PolicyOperations policies;
    private final Json json;

    PolicyRoutes(PolicyOperations policies, Json json) {
        this.policies = policies;
        this.json = json;
    }

    RestResponse route(RestRequest request) throws IOException {
        List<String> path = request.path();
        boolean decisions = path.get(0).equals("decisions");
        if (path.size() == 1) {
            return decisions
                    ? on(request, Map.of("GET", () -> decisions(request)))
                    : on(request, Map.of("GET", this::all));
        }
        String second = path.get(1);
        if (decisions && second.equals("export")) {
            return on(request, Map.of("GET", () -> export(request)));
        }
        if (decisions) {
            return on(request, Map.of("GET", () -> decision(second)));
        }
        if (path.size() == 3) {
            return policyAction(request, second, path.get(2));
        }
        return switch (second) {
            case "history" -> on(request, Map.of("GET", () -> swaps(request)));
            case "diagnosis" -> on(request, Map.of("GET", () -> diagnosis(request)));
            default -> on(request, Map.of("PUT", () -> usePolicy(request, second)));
        };
    }

    /** @param figures what pools have, if the ResourceManager is there */
    RestResponse pools(RestRequest request, Supplier<List<PoolFigures>> figures) throws IOException {
        List<String> path = request.path();
        if (path.size() == 1) {
            return on(request, Map.of("GET", () -> {
                List<PoolFigures> now = figures.get();
                return RestResponse.ok(policies.pools().stream()
                        .map(pool -> withFigures(pool, now))
                        .toList());
            }));
        }
        return on(request, Map.of("GET", () -> pool(path.get(1), figures)));
    }

    private RestResponse export(RestRequest request) {
        checkParameters(request, List.of("from", "to"));
        OptionalLong from = decisionNumber(request, "from");
        OptionalLong to = decisionNumber(request, "to");
        if (from.isPresent() && to.isPresent() && from.getAsLong() > to.getAsLong()) {
            throw new RefusedException(
                    400, "from is " + from.getAsLong() + ": at most to, " + to.getAsLong() + ", is allowed");
        }
        return RestResponse.stream(out -> policies.exportDecisions(from, to, out));
    }

    private static OptionalLong decisionNumber(RestRequest request, String name) {
        Optional<String> text = parameter(request, name);
        if (text.isEmpty()) {
            return OptionalLong.empty();
        }
        if (!text.get().matches("[1-9][0-9]{0,17}")) {
            throw new RefusedException(400, name + " is '" + text.get() + "': the number of a decision is allowed");
        }
        return OptionalLong.of(Long.parseLong(text.get()));
    }

    /** A pool whose figures are not known has none. */
    private SortedMap<String, Object> withFigures(PoolDetails pool, List<PoolFigures> figures) {
        SortedMap<String, Object> fields = json.fields(pool);
        figures.stream()
                .filter(one -> one.pool().equals(pool.name()))
                .forEach(one -> json.fields(one).forEach((name, value) -> {
                    if (!name.equals("pool")) {
                        fields.put(name, value);
                    }
                }));
        return fields;
    }

    private RestResponse pool(String name, Supplier<List<PoolFigures>> figures) {
        List<PoolDetails> pools = policies.pools();
        return RestResponse.ok(pools.stream()
                .filter(pool -> pool.name().equals(name))
                .findFirst()
                .map(pool -> withFigures(pool, figures.get()))
                .orElseThrow(() -> new RefusedException(
                        404,
                        "no pool '" + name + "': there are "
                                + String.join(
                                        ", ",
                                        pools.stream().map(PoolDetails::name).toList()))));
    }

    private RestResponse all() {
        return RestResponse.ok(fields(
                "policies",
                policies.policies(),
                "choices",
                policies.choices(),
                "shadows",
                policies.shadows().stream().map(this::view).toList()));
    }

    private static PolicyKind kind(String text) {
        return Arrays.stream(PolicyKind.values())
                .filter(kind -> kind.label().equals(text))
                .findFirst()
                .orElseThrow(() -> new RefusedException(
                        404,
                        "no policy kind '" + text + "': allowed are "
                                + String.join(
                                        ", ",
                                        Arrays.stream(PolicyKind.values())
                                                .map(PolicyKind::label)
                                                .toList())));
    }

    private RestResponse usePolicy(RestRequest request, String kindText) throws IOException {
        PolicyKind kind = kind(kindText);
        requireType(request, List.of("application/json"));
        JsonNode body = json.read(body(request, MAX_CHOICE_BYTES, "a choice of policy"));
        JsonNode name = body.path("name");
        OptionalLong index = index(body);
        if (!name.isTextual() || body.size() != 1 + (index.isPresent() ? 1 : 0)) {
            throw new RefusedException(
                    400,
                    "allowed is {\"name\": NAME} or {\"name\": NAME, \"index\": INDEX}; an empty"
                            + " name chooses by service ranking");
        }
        return used(kind, name.textValue(), kept(() -> policies.use(kind, name.textValue(), index, request.sender())));
    }

    private RestResponse policyAction(RestRequest request, String kindText, String action) throws IOException {
        if (action.equals("revert")) {
            return on(request, Map.of("POST", () -> revertPolicy(request, kindText)));
        }
        if (action.equals("shadow")) {
            return on(
                    request,
                    Map.of("PUT", () -> shadow(request, kindText), "DELETE", () -> endShadow(request, kindText)));
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
        UseResult result = kept(() -> policies.revert(kind, index, request.sender()));
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
        policies.release(kind, name.textValue(), request.sender());
        return RestResponse.ok(fields("kind", kind, "name", name.textValue()));
    }

    private RestResponse shadow(RestRequest request, String kindText) throws IOException {
        PolicyKind kind = kind(kindText);
        requireType(request, List.of("application/json"));
        JsonNode body = json.read(body(request, MAX_CHOICE_BYTES, "a shadow"));
        JsonNode name = body.path("name");
        JsonNode pool = body.path("pool");
        boolean inPool = !pool.isMissingNode();
        if (!name.isTextual() || inPool && !pool.isTextual() || body.size() != (inPool ? 2 : 1)) {
            throw new RefusedException(400, "allowed is {\"name\": NAME} or {\"name\": NAME, \"pool\": POOL}");
        }
        return RestResponse.ok(
                view(policies.shadow(kind, name.textValue(), inPool ? pool.textValue() : "", request.sender())));
    }

    private RestResponse endShadow(RestRequest request, String kindText) {
        checkParameters(request, List.of("pool"));
        PolicyKind kind = kind(kindText);
        String pool = parameter(request, "pool").orElse("");
        String meant = ShadowOperations.poolOf(kind, pool);
        if (policies.shadows().stream()
                .noneMatch(shadow -> shadow.kind() == kind && shadow.pool().equals(meant))) {
            throw new RefusedException(404, ShadowOperations.none(kind, pool) + ": GET /v1/policies lists the shadows");
        }
        return RestResponse.ok(view(policies.endShadow(kind, pool, request.sender())));
    }

    private JsonNode view(ShadowDetails shadow) {
        return json.with(shadow, "line", shadow.line());
    }

    private RestResponse diagnosis(RestRequest request) {
        checkParameters(request, List.of("kind", "name"));
        Optional<String> name = parameter(request, "name");
        Optional<PolicyKind> kind = parameter(request, "kind").map(PolicyRoutes::kind);
        var found = policies.diagnose(kind, name);
        if (found.isEmpty() && name.isPresent()) {
            throw new RefusedException(
                    404, "no installed bundle offers a policy '" + name.get() + "': GET /v1/policies lists all");
        }
        return RestResponse.ok(found);
    }

    /** A choice that cannot be stored is not the caller's fault; a later attempt may succeed. */
    private static UseResult kept(Supplier<UseResult> change) {
        try {
            return change.get();
        } catch (IllegalStateException unkept) {
            throw new RefusedException(503, String.valueOf(unkept.getMessage()));
        }
    }

    private RestResponse swaps(RestRequest request) {
        checkParameters(request, List.of("kind", "limit"));
        return RestResponse.ok(policies.swaps(parameter(request, "kind").map(PolicyRoutes::kind), limit(request)));
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

    private RestResponse used(PolicyKind kind, String name, UseResult result) {
        if (result instanceof UseResult.Conflict conflict) {
            return RestResponse.of(
                    409,
                    fields(
                            "error",
                            "another change came first: " + conflict.current() + "; nothing was changed, check and"
                                    + " try again with that index",
                            "current",
                            conflict.current()));
        }
        return RestResponse.ok(fields(
                "kind",
                kind,
                "name",
                name,
                "index",
                ((UseResult.Changed) result).index(),
                "notReached",
                policies.ownChoices(kind)));
    }

    private RestResponse decisions(RestRequest request) {
        checkParameters(request, List.of("kind", "policy", "generation", "job", "pool", "after", "limit"));
        return RestResponse.ok(policies.decisions(new DecisionFilter(
                parameter(request, "kind").map(PolicyRoutes::kind),
                parameter(request, "policy"),
                number(request, "generation"),
                parameter(request, "job"),
                parameter(request, "pool"),
                number(request, "after").orElse(0),
                limit(request))));
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

    private RestResponse decision(String text) {
        RefusedException none = new RefusedException(404, "no decision '" + text + "': GET /v1/decisions lists them");
        try {
            DecisionDetails decision = policies.decision(Long.parseLong(text)).orElseThrow(() -> none);
            return RestResponse.ok(json.with(
                    decision,
                    "shadows",
                    policies.shadowed(decision.number()).stream()
                            .map(shadow -> json.with(shadow, "line", shadow.line()))
                            .toList()));
        } catch (NumberFormatException noNumber) {
            throw none;
        }
    }
}
