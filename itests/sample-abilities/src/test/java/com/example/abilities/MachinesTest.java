package com.example.abilities;

import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.BackendContract;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

class MachinesTest implements BackendContract {

    @Override
    public BackendFactory factory() {
        return new Machines();
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("machines", "3", "offered.after.ms", "100");
    }

    /** They come by themselves. */
    @Override
    public Optional<Consumer<Backend>> changeOfSpecs() {
        return Optional.of(backend -> {});
    }

    @Override
    public Optional<AnnouncementOfLeaving> announcementOfLeaving() {
        return Optional.of((backend, context, worker) ->
                Files.writeString(context.directory().resolve(worker + ".leaves"), "60000"));
    }

    @Override
    public boolean workersOutliveBackend() {
        return false;
    }
}
