package io.berth.benchmark;

import picocli.CommandLine.Option;

/** What a missed aim does. */
final class AimOptions {

    private static final int MISSED = 1;

    @Option(names = "--fail", description = "Exit code 1 when an aim is missed. Everything is printed nevertheless")
    private boolean fail;

    int exitCode(boolean met) {
        return fail && !met ? MISSED : 0;
    }
}
