package io.berth.benchmark.report;

/** A result, in both ways in which results are written. */
public interface Told {

    String json();

    String table();
}
