/**
 * The simulator: the unchanged core classes in one thread and virtual time, with messages that are lost, doubled, late or
 * from a former epoch, processes that die, stand still and come back, and checks that see everything. Not a service of
 * the platform; a tool.
 */
package io.berth.simulator;
