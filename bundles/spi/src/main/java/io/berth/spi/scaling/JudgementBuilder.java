package io.berth.spi.scaling;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Receives the judgement of one change, during one call and on its thread. One of {@link #accept}, {@link #decline} and
 * {@link #reviewAfter} is required; otherwise the host discards the whole decision. The methods do not throw for a
 * broken rule.
 */
@ProviderType
public interface JudgementBuilder {

    /** The job restarts at the feasible parallelism now. The last call of accept and decline counts. */
    void accept();

    /** The job continues as it is. The policy is asked again when something changes. */
    void decline();

    /** Gives the reason: one line for people, cut at 500 characters; the last one counts. */
    void reason(String reason);

    /**
     * Asks to be called again for the job after this many milliseconds at the latest, even if nothing changes until then.
     * Without {@link #accept}, the job continues as it is until then. The smallest number counts, together with those of
     * {@link ParallelismBuilder#reviewAfter}. It ends with the next result, which may ask again. The host may call
     * earlier, and not more often than ten times a second for this reason.
     *
     * @param millis 1 to 86,400,000 (a day)
     */
    void reviewAfter(long millis);
}
