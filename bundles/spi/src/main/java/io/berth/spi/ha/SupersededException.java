package io.berth.spi.ha;

import java.io.IOException;

/**
 * A later leader has opened the part of the store. A change that fails with it was not made, or was made before that and
 * is seen by the later leader; whoever gets it leads no more.
 */
public final class SupersededException extends IOException {

    private static final long serialVersionUID = 1L;

    public SupersededException(String message) {
        super(message);
    }
}
