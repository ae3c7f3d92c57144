package io.berth.itests;

/**
 * Category of the rows of the failure matrix that are represented by another row in each build; {@code
 * -Pfailure-matrix} runs all.
 */
public interface WholeMatrix {}
