package io.berth.benchmark;

import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.policies.PoliciesOfKind;
import io.berth.simulator.policies.PolicyJar;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which matching strategy is measured. Bundles are read when it is first asked for. */
final class StrategyOptions {

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description =
                    "Matching strategy that decides: one of this release or of the bundles. Default: that of the bundles,"
                            + " or first-fit")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--bundle",
            paramLabel = "JAR",
            description = "A bundle with matching strategies, beside those of this release; may come again")
    private List<Path> bundles = new ArrayList<>();

    private Optional<PoliciesOfKind<MatchingStrategyFactory>> known = Optional.empty();
    private Optional<ChosenPolicy<MatchingStrategyFactory>> chosen = Optional.empty();

    /**
     * The strategy that decides.
     *
     * @param command whose options these are
     */
    ChosenPolicy<MatchingStrategyFactory> chosen(CommandSpec command) {
        if (chosen.isEmpty()) {
            try {
                chosen = Optional.of(known().named(policy.orElseGet(known()::usual)));
            } catch (IllegalArgumentException bad) {
                throw new ParameterException(command.commandLine(), bad.getMessage(), bad);
            }
        }
        return chosen.get();
    }

    /** One of {@link #names}. */
    ChosenPolicy<MatchingStrategyFactory> named(String name) {
        return known().named(name);
    }

    /** The names that can be chosen. */
    List<String> names() {
        return known().names();
    }

    private PoliciesOfKind<MatchingStrategyFactory> known() {
        if (known.isEmpty()) {
            known = Optional.of(PoliciesOfKind.matching(bundles.stream()
                    .map(bundle -> PolicyJar.read(bundle).withStrategy())
                    .toList()));
        }
        return known.get();
    }
}
