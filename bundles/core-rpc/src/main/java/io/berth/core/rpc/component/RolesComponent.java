package io.berth.core.rpc.component;

import io.berth.core.api.operations.RoleOperations;
import io.berth.core.api.role.RoleCandidate;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.ha.LeaderElection;
import io.berth.spi.ha.LeaderElection.Leader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows users who leads each role and what this process does for it. It is separate from the directory because the
 * roles need the directory, and this component needs the roles.
 */
@Component(service = RoleOperations.class, immediate = true)
public final class RolesComponent implements RoleOperations {

    private static final Logger LOG = LoggerFactory.getLogger(RolesComponent.class);

    private final RoleDirectory directory;
    private final Map<EndpointName, Leader> elected = new ConcurrentSkipListMap<>();
    private final List<RoleCandidate> candidates = new CopyOnWriteArrayList<>();
    private final List<AutoCloseable> following = new ArrayList<>();

    @Activate
    public RolesComponent(@Reference RoleDirectory directory, @Reference LeaderElection election) {
        this.directory = directory;
        for (EndpointName role : RoleDirectoryComponent.ROLES) {
            following.add(election.follow(
                    role.value(),
                    leader -> leader.ifPresentOrElse(known -> elected.put(role, known), () -> elected.remove(role))));
        }
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addCandidate(RoleCandidate candidate) {
        candidates.add(candidate);
    }

    void removeCandidate(RoleCandidate candidate) {
        candidates.remove(candidate);
    }

    @Override
    public List<RoleDetails> roles() {
        return RoleDirectoryComponent.ROLES.stream().map(this::details).toList();
    }

    private RoleDetails details(EndpointName role) {
        // If the configured address differs from the elected one, the configured one is used, and its epoch is
        // unknown.
        Optional<RpcAddress> served = directory.find(role);
        Optional<Leader> leader = Optional.ofNullable(elected.get(role))
                .filter(known -> served.filter(at -> at.toString().equals(known.address()))
                        .isPresent());
        Optional<RoleCandidate> here =
                candidates.stream().filter(each -> each.role().equals(role)).findFirst();
        return new RoleDetails(
                role.value(),
                served.map(RpcAddress::toString).orElse(""),
                leader.map(Leader::epoch).orElse(0L),
                here.map(each -> each.leads() ? Here.LEADS : Here.WAITS)
                        .orElse(Here.NONE)
                        .label());
    }

    @Deactivate
    void deactivate() {
        for (AutoCloseable each : following) {
            try {
                each.close();
            } catch (Exception failure) {
                LOG.warn("the subscription to the leader election could not be closed", failure);
            }
        }
    }
}
