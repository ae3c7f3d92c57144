package com.example.abilities;

import io.berth.spi.InvalidConfigurationException;
import io.berth.testkit.MatchingStrategyContract;
import org.junit.jupiter.api.Test;

/** It opens no workers and places no gangs of several groups, so only contracts without them hold. */
class MakesRoomTest {

    private final MatchingStrategyContract contract = MakesRoom::new;

    @Test
    void asksForSlotsOnlyForALimitedTime() throws InvalidConfigurationException {
        contract.asksForSlotsOnlyForALimitedTime();
    }

    @Test
    void asksToBeCalledAgainOnlyNowAndThen() throws InvalidConfigurationException {
        contract.asksToBeCalledAgainOnlyNowAndThen();
    }
}
