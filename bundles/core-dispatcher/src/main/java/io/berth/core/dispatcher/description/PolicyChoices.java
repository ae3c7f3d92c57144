package io.berth.core.dispatcher.description;

import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;

/** Reads which policies a job chooses: {@code scaling: NAME}, or a mapping with the name and parameters. */
final class PolicyChoices {

    private static final String NAME = "name";
    private static final String ALLOWED = "the name of a scaling policy, or an LDAP filter on its service properties";

    private final InstalledPolicies installed;
    private final List<Problem> problems;

    PolicyChoices(InstalledPolicies installed, List<Problem> problems) {
        this.installed = installed;
        this.problems = problems;
    }

    SortedMap<PolicyKind, PolicyChoice> of(Fields job) {
        SortedMap<PolicyKind, PolicyChoice> chosen = new TreeMap<>();
        Optional<DescriptionNode> node = job.find("policies");
        if (node.isEmpty()) {
            return chosen;
        }
        Fields policies = Fields.of("policies", node.get(), List.of("scaling", "matching", "distribution"), problems);
        for (PolicyKind kind : List.of(PolicyKind.MATCHING, PolicyKind.DISTRIBUTION)) {
            policies.find(kind.label())
                    .ifPresent(given -> policies.problem(
                            kind.label(),
                            given.given(),
                            "not in a job: the " + kind.label() + " policy is chosen per pool, with berth policy use"));
        }
        Optional<DescriptionNode> scaling = policies.find("scaling");
        Optional<PolicyChoice> choice = scaling.isPresent() && scaling.get() instanceof Mapping mapping
                ? parameterized(policies, mapping)
                : policies.text("scaling", ALLOWED + ", or a mapping with name and parameters")
                        .filter(selector -> isAllowed(policies, "scaling", selector))
                        .map(PolicyChoice::of);
        choice.ifPresent(one -> chosen.put(PolicyKind.SCALING, one));
        return chosen;
    }

    private Optional<PolicyChoice> parameterized(Fields policies, Mapping mapping) {
        String path = policies.path("scaling");
        Fields scaling =
                Fields.of(path, mapping, new ArrayList<>(mapping.fields().keySet()), problems);
        if (!scaling.has(NAME)) {
            scaling.problem(NAME, "missing", "the name of an installed scaling policy");
            return Optional.empty();
        }
        SortedMap<String, String> parameters = policies.pairs("scaling");
        parameters.remove(NAME);
        Optional<String> name = scaling.text(NAME, "the name of an installed scaling policy");
        if (name.isEmpty()) {
            return Optional.empty();
        }
        String selector = name.get();
        if (selector.startsWith("(") && !parameters.isEmpty()) {
            scaling.problem(NAME, "'" + selector + "'", "a name: with a filter, parameters are not allowed");
            return Optional.empty();
        }
        if (!isAllowed(scaling, NAME, selector)) {
            return Optional.empty();
        }
        if (!parameters.isEmpty()) {
            List<Problem> wrong = installed.problems(PolicyKind.SCALING, selector, parameters);
            wrong.forEach(problem -> scaling.problem(problem.field(), problem.given(), problem.allowed()));
            if (!wrong.isEmpty()) {
                return Optional.empty();
            }
        }
        return Optional.of(new PolicyChoice(selector, parameters));
    }

    /** Adds a problem when the selector is neither a filter nor the name of an installed policy. */
    private boolean isAllowed(Fields fields, String field, String selector) {
        if (selector.startsWith("(")) {
            try {
                FrameworkUtil.createFilter(selector);
                return true;
            } catch (InvalidSyntaxException failure) {
                fields.problem(field, "'" + selector + "'", ALLOWED + "; " + failure.getMessage());
                return false;
            }
        }
        List<String> names = installed.names(PolicyKind.SCALING);
        if (!names.contains(selector)) {
            fields.problem(
                    field,
                    "'" + selector + "'",
                    names.isEmpty()
                            ? "none: no scaling policy is installed"
                            : "an installed one: " + String.join(", ", names));
            return false;
        }
        return true;
    }
}
