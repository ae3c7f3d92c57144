package io.berth.itests;

/** Category of tests that measure and are run by hand, each by the profile of its own. */
public interface Figures {}
