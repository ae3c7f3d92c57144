package io.berth.core.resources.planning;

import io.berth.core.api.time.MainThread;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.GrantRound;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.UnitEntry;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses the grants to a unit whose job refuses slots. A job refused a granted slot if its worker freed or lost it
 * before a report listed it as active. The pause doubles with each round with a refusal, up to a maximum. It ends when
 * a slot of the round becomes active, when an active slot is lost, or with a newer declaration. Confined to the main
 * thread.
 */
public final class RefusedGrants {

    private static final Logger LOG = LoggerFactory.getLogger(RefusedGrants.class);

    private final MainThread mainThread;
    private final Supplier<ResourceSettings> settings;
    private final RequirementLedger ledger;

    public RefusedGrants(MainThread mainThread, Supplier<ResourceSettings> settings, RequirementLedger ledger) {
        this.mainThread = mainThread;
        this.settings = settings;
        this.ledger = ledger;
    }

    /** A report listed the slot as active for the first time. */
    public void taken(SlotEntry slot) {
        ledger.unitOf(slot)
                .filter(unit -> slot.round() == GrantRound.NONE || isOfRound(slot, unit))
                .ifPresent(this::begin);
    }

    /** The slot was removed, with or without its worker. */
    public void gone(SlotEntry slot) {
        if (slot.isTaken()) {
            ledger.unitOf(slot).ifPresent(this::begin);
        }
    }

    /** The slot was removed; its worker stays. */
    public void freed(SlotEntry slot) {
        gone(slot);
        if (!slot.isTaken()) {
            ledger.unitOf(slot).filter(unit -> isOfRound(slot, unit)).ifPresent(this::pause);
        }
    }

    private static boolean isOfRound(SlotEntry slot, UnitEntry unit) {
        return slot.round() == unit.round();
    }

    private void begin(UnitEntry unit) {
        if (unit.round().refusals() > 0) {
            unit.round(GrantRound.first());
            ledger.changed(unit);
        }
    }

    private void pause(UnitEntry unit) {
        int refusals = unit.round().refusals() + 1;
        long pause = settings.get().refusalBackOffMillis(refusals);
        GrantRound next = GrantRound.after(refusals, pause);
        unit.round(next);
        ledger.changed(unit);
        LOG.info(
                "job {}: refused slots of unit {}, {} in a row: next grant in {} ms",
                unit.job.id,
                unit.name,
                refusals,
                pause);
        mainThread.schedule(pause, () -> {
            if (unit.round() == next
                    && ledger.unit(unit.index).filter(there -> there == unit).isPresent()) {
                next.open();
                ledger.changed(unit);
            }
        });
    }
}
