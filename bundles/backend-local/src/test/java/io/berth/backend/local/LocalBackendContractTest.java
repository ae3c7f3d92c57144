package io.berth.backend.local;

import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.BackendContract;

class LocalBackendContractTest implements BackendContract {

    @Override
    public BackendFactory factory() {
        return new LocalBackendFactory();
    }
}
