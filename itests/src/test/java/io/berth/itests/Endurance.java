package io.berth.itests;

/** Category of the test that takes long and is run by hand, by {@code -Pendurance}. */
public interface Endurance {}
