package io.berth.itests.policy;

import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;

/** First fit under another name, with a number to configure. */
public final class SoakMatching implements MatchingStrategyFactory {

    private final String name;
    private final FirstFitFactory firstFit = new FirstFitFactory();

    public SoakMatching() {
        name = SoakName.read();
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                name,
                "First fit under another name",
                List.of(ConfigurationKey.number("step", 0, 0, Integer.MAX_VALUE, "any number")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        configuration.number("step");
        return firstFit.create(configuration, context);
    }
}
