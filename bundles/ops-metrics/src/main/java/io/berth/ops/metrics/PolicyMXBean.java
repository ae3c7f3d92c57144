package io.berth.ops.metrics;

import java.util.List;
import java.util.Map;

/** One policy in JMX. Counts begin when the host starts; times are in microseconds. */
public interface PolicyMXBean {

    String getKind();

    String getName();

    String getBundle();

    String getVersion();

    String getState();

    long getGeneration();

    int getRegistered();

    int getCallsInFlight();

    int getCallsAbandoned();

    long getCalls();

    long getDecisions();

    long getFailures();

    /** By kind of failure: threw, hung, violation, refused, not-tried. */
    Map<String, Long> getFailuresByKind();

    long getQuarantines();

    /** By cause: operator, configuration, registration. */
    Map<String, Long> getReleasesByCause();

    long getConfigurationsRefused();

    /** Times of all calls together. */
    CallTimes getTimes();

    /** Times from a request for a call to its start. */
    CallTimes getQueueTimes();

    List<CallTimes> getTimesByCall();
}
