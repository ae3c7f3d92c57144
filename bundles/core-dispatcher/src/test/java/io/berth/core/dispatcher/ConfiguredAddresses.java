package io.berth.core.dispatcher;

import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import java.util.Optional;

/** Where the roles are by configuration; this process where nothing is configured. Any thread. */
final class ConfiguredAddresses implements RoleDirectory {

    private final RpcAddress here;
    private volatile RpcAddress resourceManager;
    private volatile RpcAddress jobMasters;

    ConfiguredAddresses(RpcAddress here) {
        this.here = here;
        resourceManager = here;
        jobMasters = here;
    }

    /** HOST:PORT each; blank: this process. */
    void configure(String newResourceManager, String newJobMasters) {
        RpcAddress first = address(newResourceManager);
        RpcAddress second = address(newJobMasters);
        resourceManager = first;
        jobMasters = second;
    }

    private RpcAddress address(String text) {
        return text.isBlank() ? here : RpcAddress.parse(text.trim());
    }

    @Override
    public Optional<RpcAddress> find(EndpointName role) {
        if (role.equals(EndpointName.RESOURCE_MANAGER)) {
            return Optional.of(resourceManager);
        }
        return Optional.of(role.equals(EndpointName.JOB_MASTERS) ? jobMasters : here);
    }

    @Override
    public AutoCloseable follow(EndpointName role, Runnable changed) {
        return () -> {};
    }
}
