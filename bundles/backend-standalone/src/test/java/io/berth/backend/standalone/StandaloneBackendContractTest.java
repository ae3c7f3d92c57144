package io.berth.backend.standalone;

import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.BackendContract;

class StandaloneBackendContractTest implements BackendContract {

    @Override
    public BackendFactory factory() {
        return new StandaloneBackendFactory();
    }
}
