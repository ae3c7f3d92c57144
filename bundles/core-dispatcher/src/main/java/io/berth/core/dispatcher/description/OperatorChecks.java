package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import io.berth.core.api.process.ProcessSettings;
import io.berth.core.api.process.ProcessSettingsReader;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser.VertexAt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks what the vertices run: operators of the job's bundles or of the workers, and the settings of processes. */
final class OperatorChecks {

    private final List<VertexAt> vertices;
    private final List<StoredBundle> bundles;
    private final List<Problem> problems;
    /** Who offers an operator, by its name. */
    private final Map<String, List<String>> offeredBy = new TreeMap<>();

    private final Map<String, OfferedOperator> offered = new TreeMap<>();

    OperatorChecks(List<VertexAt> vertices, List<StoredBundle> bundles, List<Problem> problems) {
        this.vertices = vertices;
        this.bundles = bundles;
        this.problems = problems;
        JobCatalog.BUILT_IN.forEach(operator -> offer(operator, "built in"));
        for (StoredBundle bundle : bundles) {
            bundle.operators().forEach(operator -> offer(operator, bundle.symbolicName() + " " + bundle.version()));
        }
    }

    private void offer(OfferedOperator operator, String by) {
        offered.put(operator.name(), operator);
        offeredBy.computeIfAbsent(operator.name(), name -> new ArrayList<>()).add(by);
    }

    void check() {
        for (VertexAt at : vertices) {
            JobVertex vertex = at.vertex();
            if (vertex.runtime().equals(ProcessSettings.RUNTIME)) {
                checkProcess(at);
            } else if (!vertex.operator().isEmpty()
                    && (JobCatalog.BUILT_IN_RUNTIMES.contains(vertex.runtime())
                            || !vertex.operator().equals(vertex.runtime()))) {
                checkOffered(at);
            }
            if (vertex.isDataflow() && !vertex.operator().isEmpty()) {
                problems.addAll(BuiltInOperators.check(at.path(), at.vertex()));
            } else {
                checkRendezvous(at);
            }
        }
        problems.addAll(BuiltInOperators.checkTogether(vertices));
    }

    /** Those that every worker has, and those of the job's bundles. */
    List<OfferedOperator> all() {
        return Stream.concat(
                        JobCatalog.BUILT_IN.stream(), bundles.stream().flatMap(bundle -> bundle.operators().stream()))
                .toList();
    }

    /** Names of the keyed operators. */
    Set<String> keyed() {
        return all().stream()
                .filter(OfferedOperator::keyed)
                .map(OfferedOperator::name)
                .collect(Collectors.toSet());
    }

    private void checkOffered(VertexAt at) {
        String operator = at.vertex().operator();
        String runtime = at.vertex().runtime();
        List<String> by = offeredBy.getOrDefault(operator, List.of());
        OfferedOperator found = offered.get(operator);
        if (found == null) {
            List<String> names = offered.values().stream()
                    .filter(candidate -> candidate.runtime().equals(runtime))
                    .map(OfferedOperator::name)
                    .toList();
            String hint = NearestName.of(operator, names)
                    .map(near -> "did you mean '" + near + "'? ")
                    .orElse("");
            problems.add(new Problem(
                    at.path() + ".operator",
                    "'" + operator + "', which no bundle of the job offers",
                    hint
                            + (names.isEmpty()
                                    ? "an operator of the runtime " + runtime + " in a bundle of the job; there is none"
                                    : "one of " + String.join(", ", names))));
        } else if (by.size() > 1) {
            problems.add(new Problem(
                    at.path() + ".operator",
                    "'" + operator + "', offered by " + String.join(" and ", by),
                    "an operator that exactly one bundle offers"));
        } else if (!found.runtime().equals(runtime)) {
            problems.add(new Problem(
                    at.path() + ".operator",
                    "'" + operator + "', which is for the runtime " + found.runtime(),
                    "an operator of the runtime " + runtime + ", or runtime: " + found.runtime()));
        }
    }

    /** Workers read the settings again, but only when the job is already running. */
    private void checkProcess(VertexAt at) {
        for (Problem problem :
                ProcessSettingsReader.read(at.vertex().configuration()).problems()) {
            String hint = problem.given().equals(ProcessSettingsReader.UNKNOWN)
                    ? NearestName.of(problem.field(), ProcessSettingsReader.KEYS)
                            .map(near -> "did you mean '" + near + "'? ")
                            .orElse("")
                    : "";
            problems.add(new Problem(
                    at.path() + ".configuration." + problem.field(), problem.given(), hint + problem.allowed()));
        }
    }

    private void checkRendezvous(VertexAt at) {
        String given = at.vertex().configuration().getOrDefault(JobVertex.RENDEZVOUS, "true");
        if (!at.vertex().isDataflow()
                && !at.vertex().runtime().equals(ProcessSettings.RUNTIME)
                && !List.of("true", "false").contains(given)) {
            problems.add(new Problem(
                    at.path() + ".configuration." + JobVertex.RENDEZVOUS, "'" + given + "'", "true or false"));
        }
    }
}
