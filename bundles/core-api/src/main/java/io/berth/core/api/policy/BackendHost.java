package io.berth.core.api.policy;

import io.berth.spi.backend.BackendContext;
import io.berth.spi.backend.WorkerDeclaration;
import io.berth.spi.backend.WorkerSpec;
import java.util.List;

/**
 * Gives the ResourceManager the backends that are installed and configured, and tells it when they come and go. Calls
 * into a backend run in guarded threads; none of the methods here blocks.
 */
public interface BackendHost {

    /**
     * Follows the backends until closed; closing closes the backends too, which stops the workers they started, and
     * waits for them, bounded.
     */
    AutoCloseable follow(BackendFollower follower);

    /** The ResourceManager. Its methods are called on any thread and must not block. */
    interface BackendFollower {

        /** What a backend of that name is created with. */
        BackendContext context(String backend);

        void added(BackendHandle backend);

        /** A backend is gone or was replaced; its handle does nothing any more. Its workers live on as they can. */
        void removed(BackendHandle backend);
    }

    /** A backend, safe to call from a main thread. */
    interface BackendHandle {

        String name();

        List<WorkerSpec> specs();

        /** Passed on in the order of calls; when several wait, only the newest is passed on, with all unwanted ones. */
        void declare(WorkerDeclaration declaration);
    }
}
