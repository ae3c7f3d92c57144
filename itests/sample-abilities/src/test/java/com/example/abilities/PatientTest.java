package com.example.abilities;

import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.MatchingStrategyContract;

class PatientTest implements MatchingStrategyContract {

    @Override
    public MatchingStrategyFactory factory() {
        return new Patient();
    }
}
