package io.berth.spi.ha;

import java.io.IOException;

/**
 * A later leader has opened the part of the store. A change that fails with this exception was either not made, or was
 * made earlier and the later leader sees it. The caller no longer leads.
 */
public final class SupersededException extends IOException {

    private static final long serialVersionUID = 1L;

    public SupersededException(String message) {
        super(message);
    }
}
