"""What holds for all tests."""

import signal

# A job started with & from a script ignores Ctrl-C, and so would the tests that press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
