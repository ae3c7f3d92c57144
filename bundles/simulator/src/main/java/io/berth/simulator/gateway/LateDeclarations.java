package io.berth.simulator.gateway;

import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.simulator.time.Incarnation;
import io.berth.spi.JobId;
import java.util.SortedMap;
import java.util.TreeMap;

/** Delivers an older declaration of a JobMaster to the ResourceManager again, after the newer one. */
public final class LateDeclarations implements ObservedResourceManager.Listener {

    private final ResourceManagerGateway resourceManager;
    private final Incarnation process;
    private final LateMessages lateWords;
    private final SortedMap<JobId, RequirementsDeclaration> last = new TreeMap<>();

    public LateDeclarations(ResourceManagerGateway resourceManager, Incarnation process, LateMessages lateWords) {
        this.resourceManager = resourceManager;
        this.process = process;
        this.lateWords = lateWords;
    }

    @Override
    public void declared(RequirementsDeclaration declaration) {
        RequirementsDeclaration latest = last.get(declaration.job());
        boolean same = latest != null && latest.jobMaster().equals(declaration.jobMaster());
        RequirementsDeclaration before = same ? latest : null;
        if (before != null && before.sequence() >= declaration.sequence()) {
            return;
        }
        last.put(declaration.job(), declaration);
        if (before != null && !before.units().equals(declaration.units())) {
            lateWords.soon(process, () -> resourceManager.declareRequirements(before));
        }
    }
}
