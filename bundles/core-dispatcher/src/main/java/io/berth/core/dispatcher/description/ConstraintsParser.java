package io.berth.core.dispatcher.description;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.core.dispatcher.description.DescriptionNode.ScalarKind;
import io.berth.core.dispatcher.description.DescriptionNode.Sequence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the placement constraints of a slot sharing group. */
final class ConstraintsParser {

    static final List<String> FIELDS = List.of("require", "prefer", "tolerate", "spread");
    static final List<String> RULE_FIELDS = List.of("label", "in", "not-in", "exists", "greater");
    static final List<String> PREFERENCE_FIELDS = List.of("label", "in", "not-in", "exists", "greater", "weight");
    static final List<String> TOLERATION_FIELDS = List.of("taint", "value");
    static final List<String> SPREAD_FIELDS = List.of("label", "maxSkew");

    private static final String ONE_OPERATOR = "one of in, not-in, exists and greater";
    private static final String KEY_ALLOWED = "1 to " + PlacementConstraints.MAX_TEXT + " characters";

    private final List<Problem> problems;

    ConstraintsParser(List<Problem> problems) {
        this.problems = problems;
    }

    /** The constraints; problems are reported, and what has one is left out. */
    PlacementConstraints parse(Fields group) {
        Optional<DescriptionNode> node = group.find("constraints");
        if (node.isEmpty()) {
            return PlacementConstraints.NONE;
        }
        Fields constraints = Fields.of(group.path("constraints"), node.get(), FIELDS, problems);
        List<LabelRule> require = new ArrayList<>();
        List<Preference> prefer = new ArrayList<>();
        each(constraints, "require", RULE_FIELDS, rule -> rule(rule).ifPresent(require::add));
        each(constraints, "prefer", PREFERENCE_FIELDS, preference -> {
            Optional<Integer> weight = preference.integer("weight", 1, PlacementConstraints.MAX_WEIGHT);
            boolean known = weight.isPresent() || !preference.has("weight");
            rule(preference)
                    .filter(rule -> known)
                    .ifPresent(rule -> prefer.add(new Preference(rule, weight.orElse(1))));
        });
        return new PlacementConstraints(require, prefer, tolerate(constraints), spread(constraints));
    }

    private interface Item {
        void read(Fields fields);
    }

    private void each(Fields of, String name, List<String> known, Item item) {
        List<DescriptionNode> items = of.list(name, 0, PlacementConstraints.MAX_RULES);
        for (int i = 0; i < items.size(); i++) {
            item.read(Fields.of(of.path(name) + "[" + i + "]", items.get(i), known, problems));
        }
    }

    private SortedMap<String, String> tolerate(Fields constraints) {
        SortedMap<String, String> tolerate = new TreeMap<>();
        each(constraints, "tolerate", TOLERATION_FIELDS, toleration -> {
            Optional<String> taint = key(toleration, "taint");
            Optional<String> value = toleration.find("value").flatMap(node -> value(toleration.path("value"), node));
            if (taint.isPresent() && (value.isPresent() || !toleration.has("value"))) {
                if (tolerate.putIfAbsent(taint.get(), value.orElse("")) != null) {
                    toleration.problem("taint", "'" + taint.get() + "' again", "each taint once");
                }
            }
        });
        return tolerate;
    }

    private Optional<Spread> spread(Fields constraints) {
        return constraints.find("spread").flatMap(node -> {
            int before = problems.size();
            Fields spread = Fields.of(constraints.path("spread"), node, SPREAD_FIELDS, problems);
            if (!(node instanceof Mapping)) {
                return Optional.empty();
            }
            Optional<String> label = key(spread, "label");
            Optional<Integer> maxSkew = spread.integer("maxSkew", 1, PlacementConstraints.MAX_SKEW);
            return problems.size() == before ? label.map(key -> new Spread(key, maxSkew.orElse(1))) : Optional.empty();
        });
    }

    private Optional<LabelRule> rule(Fields rule) {
        int before = problems.size();
        Optional<String> label = key(rule, "label");
        List<Operator> given = Arrays.stream(Operator.values())
                .filter(operator -> rule.has(operator.word()))
                .toList();
        if (given.size() != 1) {
            rule.problem(
                    given.isEmpty() ? Operator.IN.word() : given.get(1).word(),
                    given.isEmpty() ? "missing" : "beside " + given.get(0).word(),
                    ONE_OPERATOR);
            return Optional.empty();
        }
        Operator operator = given.get(0);
        List<String> values = values(rule, operator);
        return problems.size() == before ? label.map(key -> new LabelRule(key, operator, values)) : Optional.empty();
    }

    private Optional<String> key(Fields of, String name) {
        if (!of.has(name)) {
            of.problem(name, "missing", KEY_ALLOWED);
            return Optional.empty();
        }
        return of.find(name).flatMap(node -> value(of.path(name), node));
    }

    private List<String> values(Fields rule, Operator operator) {
        DescriptionNode node = rule.find(operator.word()).orElseThrow();
        switch (operator) {
            case EXISTS -> {
                if (!(node instanceof Scalar scalar) || !scalar.text().equals("true")) {
                    rule.problem(operator.word(), node.given(), "true");
                }
                return List.of();
            }
            case GREATER -> {
                if (!(node instanceof Scalar scalar) || !scalar.text().matches("-?[0-9]{1,15}(\\.[0-9]{1,15})?")) {
                    rule.problem(operator.word(), node.given(), "a number of up to 15 digits");
                    return List.of();
                }
                return List.of(scalar.text());
            }
            default -> {
                List<DescriptionNode> items = node instanceof Sequence sequence ? sequence.items() : List.of(node);
                if (items.isEmpty() || items.size() > PlacementConstraints.MAX_VALUES) {
                    rule.problem(operator.word(), node.given(), "1 to " + PlacementConstraints.MAX_VALUES + " values");
                    return List.of();
                }
                return items.stream()
                        .flatMap(item -> value(rule.path(operator.word()), item).stream())
                        .toList();
            }
        }
    }

    /** Numbers and truth values are taken as written. */
    private Optional<String> value(String path, DescriptionNode node) {
        if (node instanceof Scalar scalar
                && scalar.kind() != ScalarKind.NOTHING
                && !scalar.text().isBlank()
                && scalar.text().length() <= PlacementConstraints.MAX_TEXT) {
            return Optional.of(scalar.text());
        }
        problems.add(new Problem(path, node.given(), "a text of " + KEY_ALLOWED));
        return Optional.empty();
    }
}
