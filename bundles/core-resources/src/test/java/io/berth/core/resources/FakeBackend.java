package io.berth.core.resources;

import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;

/** A backend that remembers what was declared. */
public final class FakeBackend implements BackendHandle {

    public final List<WorkerDeclaration> declared = new ArrayList<>();
    private final String name;
    private List<WorkerSpec> specs;

    public FakeBackend(WorkerSpec... specs) {
        this("local", specs);
    }

    public FakeBackend(String name, WorkerSpec... specs) {
        this.name = name;
        this.specs = List.of(specs);
    }

    /** Offers other specs from now on; tell the ResourceManager. */
    public FakeBackend offers(WorkerSpec... other) {
        specs = List.of(other);
        return this;
    }

    public int needed() {
        return needed("small");
    }

    public int needed(String spec) {
        return declared.isEmpty()
                ? 0
                : declared.get(declared.size() - 1).needed().getOrDefault(spec, 0);
    }

    /** All that were ever named, in the order of the first time. */
    public List<WorkerId> unwanted() {
        return declared.stream()
                .flatMap(declaration -> declaration.unwanted().stream())
                .distinct()
                .toList();
    }

    @Override
    public String name() {
        return name;
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
