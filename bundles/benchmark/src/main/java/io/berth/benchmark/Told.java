package io.berth.benchmark;

/** A result, in both ways in which results are written. */
interface Told {

    String json();

    String table();
}
