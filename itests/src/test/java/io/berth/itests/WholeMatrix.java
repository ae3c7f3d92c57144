package io.berth.itests;

/**
 * Category of the rows of the failure matrix that another row stands for in each build; all run by
 * {@code -Pfailure-matrix}.
 */
public interface WholeMatrix {}
