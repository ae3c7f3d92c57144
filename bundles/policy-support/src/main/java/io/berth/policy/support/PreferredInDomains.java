package io.berth.policy.support;

import java.util.function.IntPredicate;

/** The workers of each domain of a spread that a group prefers, those with the largest weights first. For one entry. */
final class PreferredInDomains {

    private static final PreferredInDomains NONE = new PreferredInDomains(new int[0][]);

    private final int[][] workers;
    /** By domain: workers before this place take no more slots. */
    private final int[] next;

    private PreferredInDomains(int[][] workers) {
        this.workers = workers;
        next = new int[workers.length];
    }

    static PreferredInDomains of(PreferredWorkers.Preferred preferred, SpreadDomains.Counts counts) {
        if (preferred.size() == 0) {
            return NONE;
        }
        int[] domains = new int[preferred.size()];
        int[] sizes = new int[counts.domains()];
        for (int nth = 0; nth < domains.length; nth++) {
            domains[nth] = counts.domain(preferred.workers()[nth]);
            if (domains[nth] >= 0) {
                sizes[domains[nth]]++;
            }
        }
        int[][] workers = new int[sizes.length][];
        for (int domain = 0; domain < sizes.length; domain++) {
            workers[domain] = new int[sizes[domain]];
        }
        int[] at = new int[sizes.length];
        for (int nth = 0; nth < domains.length; nth++) {
            if (domains[nth] >= 0) {
                workers[domains[nth]][at[domains[nth]]++] = preferred.workers()[nth];
            }
        }
        return new PreferredInDomains(workers);
    }

    /** The first one of a domain that takes a slot; -1 when there is none. One that takes none is not asked again. */
    int first(int domain, IntPredicate takesSlot) {
        if (domain >= workers.length) {
            return -1;
        }
        int[] among = workers[domain];
        while (next[domain] < among.length && !takesSlot.test(among[next[domain]])) {
            next[domain]++;
        }
        return next[domain] < among.length ? among[next[domain]] : -1;
    }
}
