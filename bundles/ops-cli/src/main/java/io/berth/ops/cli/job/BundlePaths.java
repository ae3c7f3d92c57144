package io.berth.ops.cli.job;

import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Replaces paths of bundles in a description by hashes. All other characters stay as they are, so that positions in
 * error messages of the control plane are right.
 */
final class BundlePaths {

    private static final String SCHEME = "file:";

    private BundlePaths() {}

    private record Replacement(int start, int end, String path) {}

    /**
     * The description with hashes.
     *
     * @param directory that relative paths start from
     * @param store stores the bundle at a path and gives its hash
     */
    static String replace(String description, Path directory, Function<Path, String> store) {
        StringBuilder text = new StringBuilder(description);
        List<Replacement> replacements = find(description);
        for (int i = replacements.size() - 1; i >= 0; i--) {
            Replacement replacement = replacements.get(i);
            String path = replacement.path().startsWith(SCHEME)
                    ? replacement.path().substring(SCHEME.length())
                    : replacement.path();
            text.replace(replacement.start(), replacement.end(), '"' + store.apply(directory.resolve(path)) + '"');
        }
        return text.toString();
    }

    private static List<Replacement> find(String description) {
        List<Replacement> found = new ArrayList<>();
        bundles(description).ifPresent(bundles -> {
            for (Node item : bundles.getValue()) {
                if (item instanceof ScalarNode scalar && isPath(scalar.getValue())) {
                    // Marks count code points.
                    int start = description.offsetByCodePoints(
                            0, item.getStartMark().getIndex());
                    int end =
                            description.offsetByCodePoints(0, item.getEndMark().getIndex());
                    found.add(new Replacement(start, end, scalar.getValue()));
                }
            }
        });
        return found;
    }

    private static boolean isPath(String value) {
        return value.startsWith(SCHEME) || value.endsWith(".jar");
    }

    /** The list of bundles; empty when the text cannot be parsed: the control plane reports that better. */
    private static Optional<SequenceNode> bundles(String description) {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(0);
        Node root;
        try {
            root = new Yaml(options).compose(new StringReader(description));
        } catch (YAMLException unreadable) {
            return Optional.empty();
        }
        if (root instanceof MappingNode mapping) {
            for (NodeTuple field : mapping.getValue()) {
                if (field.getKeyNode() instanceof ScalarNode key
                        && key.getValue().equals("bundles")
                        && field.getValueNode() instanceof SequenceNode bundles) {
                    return Optional.of(bundles);
                }
            }
        }
        return Optional.empty();
    }
}
