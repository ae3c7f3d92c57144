package io.berth.ops.metrics;

import java.util.List;
import java.util.Map;

/** The policy host in JMX. Counts begin when it starts; times are in microseconds. */
public interface PolicyHostMXBean {

    /** Decisions in progress, by kind of policy. */
    Map<String, Integer> getLeases();

    int getGenerations();

    int getThreadsAbandoned();

    long getDecisions();

    /** By type and pool, as {@code placement default}. */
    List<CallTimes> getDecisionTimes();

    long getSwaps();

    /** By kind and cause, as {@code matching use}. */
    Map<String, Long> getSwapsByCause();

    Map<String, Long> getRoundsRedone();

    Map<String, Long> getFallbacks();

    int getPolicies();
}
