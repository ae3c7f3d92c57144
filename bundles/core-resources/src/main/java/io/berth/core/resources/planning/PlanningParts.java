package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.Explanations;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerRegistry;
import java.util.function.Supplier;

/** What the planning of all pools shares. Confined to the main thread. */
record PlanningParts(
        ResourceManagerId id,
        MainThread mainThread,
        Clock clock,
        PolicyHost policies,
        Supplier<ResourceSettings> settings,
        WorkerRegistry workers,
        RequirementLedger ledger,
        Allocations allocations,
        Changes changes,
        WorkerDemand backends,
        Explanations explanations,
        SlotCalls calls,
        ReturnRequests returns,
        PlanNumbers numbers) {}
