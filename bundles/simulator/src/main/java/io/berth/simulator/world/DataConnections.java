package io.berth.simulator.world;

import io.berth.simulator.job.StoredInputs;
import io.berth.simulator.time.Incarnation;
import java.util.Optional;

/** How tasks reach the results that other workers of a world store: not through a cut, and not in a paused process. */
final class DataConnections implements StoredInputs.Connections {

    private final World world;

    DataConnections(World world) {
        this.world = world;
    }

    @Override
    public Optional<Incarnation> answering(Incarnation reader, String dataAddress) {
        return at(dataAddress)
                .filter(worker -> !isCut(reader, worker))
                .flatMap(Worker::life)
                .filter(life -> !life.isPaused());
    }

    @Override
    public boolean isRefused(Incarnation reader, String dataAddress) {
        return at(dataAddress).isEmpty();
    }

    private Optional<Worker> at(String dataAddress) {
        return world.workers().stream()
                .filter(worker ->
                        worker.isAlive() && worker.address().toString().equals(dataAddress))
                .findFirst();
    }

    private boolean isCut(Incarnation reader, Worker worker) {
        return world.workerOf(reader)
                .filter(from -> from == worker
                        || !world.conditions.isCut(from.address(), worker.address())
                                && !world.conditions.isCut(worker.address(), from.address()))
                .isEmpty();
    }
}
