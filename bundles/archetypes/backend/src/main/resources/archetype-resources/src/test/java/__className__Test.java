package ${package};

import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.BackendContract;

/** Starts, stops and loses real processes. */
class ${className}Test implements BackendContract {

    @Override
    public BackendFactory factory() {
        return new ${className}();
    }

    @Override
    public boolean workersOutliveBackend() {
        return false;
    }
}
