package io.berth.itests;

/** Category of the test that takes long and is run by hand, with {@code -Pendurance}. */
public interface Endurance {}
