package io.berth.matching.rebalance;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code rebalance}: moves slots so that workers can be released, or are used evenly. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "rebalance")
public final class RebalanceFactory implements MatchingStrategyFactory {

    static final String CONSOLIDATE = "consolidate";
    static final String EVEN = "even";

    private static final String GOAL = "goal";
    private static final String GAP = "gap";
    private static final String INTERVAL = "interval";
    private static final String MOVES = "moves";
    private static final String PAUSE = "pause";
    private static final String PAUSE_REFUSED = "pause.refused";
    private static final String MOVE_COST = "move.cost";
    private static final String PAYBACK = "payback";
    private static final double DEFAULT_GAP = 0.3;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "rebalance",
                "Jobs return slots and get others, so that workers can be released or are used evenly",
                List.of(
                        ConfigurationKey.choice(
                                GOAL,
                                CONSOLIDATE,
                                List.of(CONSOLIDATE, EVEN),
                                "consolidate: little used workers become empty, and slots are placed as pack does; even:"
                                        + " the most used worker gives slots to the least used one, and slots are placed"
                                        + " as spread does"),
                        ConfigurationKey.share(
                                GAP,
                                DEFAULT_GAP,
                                "With even: slots move while the use of two workers differs by more than this share"),
                        ConfigurationKey.duration(
                                INTERVAL, MINUTE, SECOND, DAY, "How long after slots were asked for before others are"),
                        ConfigurationKey.number(MOVES, 8, 1, 64, "How many slots are asked for at a time at most"),
                        ConfigurationKey.duration(
                                PAUSE,
                                MINUTE.multipliedBy(10),
                                SECOND,
                                DAY,
                                "How long a job is left alone after it was asked for slots"),
                        ConfigurationKey.duration(
                                PAUSE_REFUSED,
                                Duration.ofHours(1),
                                SECOND,
                                DAY,
                                "How long a job is left alone that kept the slot, or got another one on the same worker"),
                        ConfigurationKey.duration(
                                MOVE_COST,
                                SECOND.multipliedBy(10),
                                Duration.ZERO,
                                DAY,
                                "How long a job stands still in all when one of its slots moves, if its last rescale is not known"),
                        ConfigurationKey.duration(
                                PAYBACK,
                                MINUTE.multipliedBy(10),
                                SECOND,
                                DAY,
                                "Within this time, the room that a move saves must be worth more than what it costs")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        boolean evens = configuration.text(GOAL).equals(EVEN);
        Pauses.Limits limits = new Pauses.Limits(
                configuration.duration(INTERVAL).toMillis(),
                configuration.duration(PAUSE).toMillis(),
                configuration.duration(PAUSE_REFUSED).toMillis());
        Worth worth = new Worth(
                configuration.duration(MOVE_COST).toMillis(),
                configuration.duration(PAYBACK).toMillis());
        int moves = (int) configuration.number(MOVES);
        double gap = configuration.share(GAP);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return evens
                        ? new RebalanceSession(
                                workers,
                                new SlotPlacement(workers, ByUtilization.leastFirst()),
                                new Evening(gap, moves, worth),
                                new Pauses(limits))
                        : new RebalanceSession(
                                workers,
                                new PackingSession(workers, MixedPlacement.greedy(workers)),
                                new Consolidation(moves, worth),
                                new Pauses(limits));
            }

            @Override
            public boolean usesAllocations() {
                return true;
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
