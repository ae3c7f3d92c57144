package com.example.abilities;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import io.berth.spi.backend.Backend;
import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.BackendFactory;
import io.berth.testkit.BackendContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

class MachinesTest implements BackendContract {

    private final AtomicReference<Path> directory = new AtomicReference<>();

    @Override
    public BackendFactory factory() {
        Machines machines = new Machines();
        return new BackendFactory() {
            @Override
            public PolicyDescription describe() {
                return machines.describe();
            }

            @Override
            public Backend create(PolicyConfiguration configuration, BackendContext context) {
                directory.set(context.directory());
                return machines.create(configuration, context);
            }
        };
    }

    @Override
    public Map<String, String> configuration() {
        return Map.of("machines", "3");
    }

    @Override
    public Optional<Consumer<Backend>> changeOfSpecs() {
        return Optional.of(backend -> offer("other 3"));
    }

    private void offer(String offers) {
        try {
            Path written = Files.writeString(directory.get().resolve("written"), offers);
            Files.move(written, directory.get().resolve("offers"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
