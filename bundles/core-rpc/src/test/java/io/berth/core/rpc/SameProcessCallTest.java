package io.berth.core.rpc;

/** The contract within one process. */
class SameProcessCallTest extends CallContract {

    @Override
    RunningRpc sender(RunningRpc receiver) {
        return receiver;
    }
}
