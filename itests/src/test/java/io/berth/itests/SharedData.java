package io.berth.itests;

/** Category of the tests that need the data outside the repository; run with {@code -Pshared-data}. */
public interface SharedData {}
