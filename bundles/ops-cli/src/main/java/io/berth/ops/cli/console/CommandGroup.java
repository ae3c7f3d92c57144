package io.berth.ops.cli.console;

/** A command with commands of its own, to which it passes what it got from the command line. */
public interface CommandGroup {

    Console console();
}
