package io.berth.spi.distribution;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The units that jobs of a pool declared, over an index. A unit is what is scheduled at once; it has one or several
 * groups of slots with a profile, a minimum and a desired number each. An index stays with its unit while it is there.
 */
@ProviderType
public interface DemandsView {

    /** Number of the state that the view shows; grows with each change. */
    long stateNumber();

    /** One more than the highest unit index in use. */
    int limit();

    boolean present(int unit);

    JobId job(int unit);

    /** Name of the unit within its job. */
    String name(int unit);

    /** Place of the job in the order of submission; a stamp that survives restarts. */
    long submissionIndex(int unit);

    String queue(int unit);

    /** Larger is more important; 0 by default. */
    int priority(int unit);

    Optional<String> label(int unit, String key);

    /** How many groups the unit has. */
    int groups(int unit);

    String groupName(int unit, int group);

    ResourceProfile profile(int unit, int group);

    /** Slots without which the unit cannot run. */
    int minimum(int unit, int group);

    /** Slots that the unit would use, at least the minimum. */
    int desired(int unit, int group);

    /** Slots that the unit has, or that are being requested for it. */
    int have(int unit, int group);
}
