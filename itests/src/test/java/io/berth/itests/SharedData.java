package io.berth.itests;

/** Category of the tests that need the data beside the repository; run by {@code -Pshared-data}. */
public interface SharedData {}
