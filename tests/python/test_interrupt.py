"""Ctrl-C, progress, other threads, and children of fork."""

import multiprocessing
import os
import signal
import threading
import time
import unittest

import numpy as np

import gssl


def grid(side):
    place = np.arange(side * side).reshape(side, side)
    u = np.concatenate([place[:, :-1].ravel(), place[:-1].ravel()])
    v = np.concatenate([place[:, 1:].ravel(), place[1:].ravel()])
    return gssl.Graph((u, v))


GRID = grid(500)
GIVEN = {0: "a", 500 * 500 - 1: "b"}


def slow(**how):
    """Some seconds of work."""
    return gssl.label(GRID, GIVEN, "p-laplacian", p=3.0, tolerance=1e-12, **how)


def in_child(queue):
    queue.put(gssl.label(GRID, GIVEN, "harmonic", threads=2).labels[1])


class Interrupt(unittest.TestCase):
    def test_ctrl_c_ends_the_work(self):
        timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            slow()
            self.fail("the work ended before the signal")

    def test_a_handler_may_raise_what_it_likes(self):
        def handler(number, frame):
            raise TimeoutError

        before = signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            with self.assertRaises(TimeoutError):
                slow()
        finally:
            signal.signal(signal.SIGALRM, before)

    def test_progress_is_told_and_may_end_the_work(self):
        told = []

        def progress(stage, share):
            told.append((stage, share))
            return len(told) < 2

        with self.assertRaises(gssl.Error) as raised:
            slow(progress=progress)
        self.assertEqual(raised.exception.code, "cancelled")
        self.assertEqual(len(told), 2)
        self.assertIsInstance(told[0][0], str)

    def test_an_exception_of_progress_goes_on(self):
        def progress(stage, share):
            raise LookupError(stage)

        with self.assertRaises(LookupError):
            slow(progress=progress)

    def test_a_time_limit_gives_what_there_is(self):
        with self.assertWarns(gssl.ConvergenceWarning):
            result = slow(time_limit=0.1)
        self.assertEqual(result.report["solver"]["outcome"], "time_limit")

    def test_other_threads_go_on(self):
        ticks = []
        stop = threading.Event()

        def tick():
            while not stop.wait(0.01):
                ticks.append(time.monotonic())

        thread = threading.Thread(target=tick)
        thread.start()
        with self.assertWarns(gssl.ConvergenceWarning):
            slow(time_limit=0.5)
        stop.set()
        thread.join()
        self.assertGreater(len(ticks), 5)

    def test_a_child_of_fork_works(self):
        self.assertEqual(gssl.label(GRID, GIVEN, "harmonic", threads=2).labels[1], "a")
        context = multiprocessing.get_context("fork")
        queue = context.Queue()
        child = context.Process(target=in_child, args=(queue,))
        child.start()
        self.assertEqual(queue.get(timeout=60), "a")
        child.join()


if __name__ == "__main__":
    unittest.main()
