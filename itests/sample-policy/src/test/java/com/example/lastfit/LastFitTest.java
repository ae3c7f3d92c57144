package com.example.lastfit;

import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.MatchingStrategyContract;

class LastFitTest implements MatchingStrategyContract {

    @Override
    public MatchingStrategyFactory factory() {
        return new LastFit();
    }
}
