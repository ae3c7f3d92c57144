package io.berth.spi.scaling;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import org.osgi.annotation.versioning.ProviderType;

/** A job as a scaling policy sees it: vertices over an index, and the slot sharing groups they run in. */
@ProviderType
public interface JobView {

    long stateNumber();

    JobId job();

    int vertices();

    String vertex(int vertex);

    /** Index of the slot sharing group of the vertex. */
    int group(int vertex);

    int minimum(int vertex);

    int desired(int vertex);

    /** Upper bound of scaling, at least the desired parallelism. */
    int maximum(int vertex);

    /** Parallelism that the vertex runs at, 0 when the job does not run. */
    int current(int vertex);

    int groups();

    String groupName(int group);

    ResourceProfile profile(int group);

    /** Slots that the job has for the group. */
    int slots(int group);
}
