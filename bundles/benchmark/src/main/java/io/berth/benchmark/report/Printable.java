package io.berth.benchmark.report;

/** A result that can be printed in both output formats. */
public interface Printable {

    String json();

    String table();
}
