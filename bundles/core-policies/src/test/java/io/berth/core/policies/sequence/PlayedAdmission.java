package io.berth.core.policies.sequence;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.HashMap;
import java.util.Map;

/** One admission of a played distribution policy: by the rules, or with one of them broken. */
final class PlayedAdmission {

    private static final int NOWHERE = 99;

    private final Play play;
    private final long generation;
    private final DemandsView demands;
    private final AdmissionBuilder result;
    private final Answer answer;
    /** Slots that are reclaimed, by unit and group. */
    private final Map<String, Integer> reclaimed = new HashMap<>();

    PlayedAdmission(Play play, long instance, DemandsView demands, AdmissionBuilder result) {
        this.play = play;
        this.generation = play.generation(instance);
        this.demands = demands;
        this.result = result;
        this.answer = play.answer();
        answer.sees(demands.stateNumber());
    }

    void byTheRules() {
        boolean oneRank = false;
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.candidate(unit)) {
                if (!oneRank && play.draw(3) == 0) {
                    result.beginRank();
                    answer.beginRank();
                    oneRank = true;
                }
                admit(unit);
                if (oneRank && play.draw(3) == 0) {
                    oneRank = endRank();
                }
            }
        }
        if (oneRank) {
            endRank();
        }
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit) && play.draw(3) == 0) {
                int group = play.draw(demands.groups(unit));
                int most = returnable(unit, group);
                if (most > 0) {
                    reclaim(unit, group, 1 + play.draw(most));
                }
            }
        }
        Played.review(play, result::reviewAfter);
    }

    private boolean endRank() {
        result.endRank();
        answer.endRank();
        return false;
    }

    private void admit(int unit) {
        if (play.draw(8) == 0) {
            result.defer(unit, "deferred by generation " + generation + ".");
            answer.deferred(unit);
            return;
        }
        result.admitMinimum(unit);
        boolean first = true;
        for (int group = 0; group < demands.groups(unit); group++) {
            int missing = demands.minimum(unit, group) - demands.allocated(unit, group);
            if (missing > 0) {
                if (first) {
                    answer.nextRank();
                    first = false;
                }
                answer.admitted(unit, group, missing, true);
            }
        }
        for (int group = 0; group < demands.groups(unit); group++) {
            int count = demands.desired(unit, group)
                    - Math.max(demands.minimum(unit, group), demands.allocated(unit, group));
            if (count > 0) {
                result.admit(unit, group, count);
                answer.nextRank();
                answer.admitted(unit, group, count, false);
            }
        }
    }

    /** How many slots of a group its job may still be asked for, by the rules. */
    private int returnable(int unit, int group) {
        int allocated = demands.allocated(unit, group);
        int minimum = demands.minimum(unit, group);
        return (allocated < minimum ? allocated : allocated - minimum) - reclaimed.getOrDefault(unit + "/" + group, 0);
    }

    private void reclaim(int unit, int group, int count) {
        String reason = "reclaimed by generation " + generation + ".";
        result.reclaim(unit, group, count, reason);
        answer.reclaimed(unit, group, count, reason);
        reclaimed.merge(unit + "/" + group, count, Integer::sum);
    }

    /** As {@link #byTheRules}, except that one rule is broken. */
    void withOneRuleBroken() {
        int rule = play.draw(9);
        if (rule > 0) {
            byTheRules();
        }
        if (!breaks(rule)) {
            result.admit(NOWHERE, 0, 1);
        }
    }

    /** @return whether the rule could be broken */
    private boolean breaks(int rule) {
        int unit = firstPresent();
        switch (rule) {
            case 1 -> {
                result.beginRank();
                result.beginRank();
            }
            case 2 -> result.endRank();
            case 3 -> result.reclaim(NOWHERE, 0, 1, "not there");
            case 4 -> result.reclaim(unit, 7, 1, "not there");
            case 5 -> result.reclaim(unit, 0, 0, "nothing");
            case 6 -> result.reclaim(unit, 0, (unit == NOWHERE ? 0 : returnable(unit, 0)) + 1, "too much");
            case 7 -> {
                return reclaimsWithoutReason();
            }
            case 8 -> Played.badReview(play, result::reviewAfter);
            default -> {
                return false;
            }
        }
        return true;
    }

    private int firstPresent() {
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit)) {
                return unit;
            }
        }
        return NOWHERE;
    }

    private boolean reclaimsWithoutReason() {
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.present(unit) && returnable(unit, 0) > 0) {
                result.reclaim(unit, 0, 1, " ");
                return true;
            }
        }
        return false;
    }
}
