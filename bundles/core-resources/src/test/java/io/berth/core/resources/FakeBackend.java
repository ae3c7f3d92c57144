package io.berth.core.resources;

import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/** A backend that remembers what was declared. */
final class FakeBackend implements BackendHandle {

    final List<WorkerDeclaration> declared = new ArrayList<>();
    private final List<WorkerSpec> specs;

    FakeBackend(WorkerSpec... specs) {
        this.specs = List.of(specs);
    }

    int needed() {
        return declared.isEmpty()
                ? 0
                : declared.get(declared.size() - 1).needed().getOrDefault("small", 0);
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public List<WorkerSpec> specs() {
        return specs;
    }

    @Override
    public void declare(WorkerDeclaration declaration) {
        declared.add(declaration);
    }
}
