package io.berth.itests;

/** Category of tests that measure and are run by hand, each with its own profile. */
public interface Figures {}
