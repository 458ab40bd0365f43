"""What gssl raises and warns of."""


class Error(ValueError):
    """Wrong input, or work that was ended where half of it answers nothing.

    ``code`` is one of usage, bad_data, cannot_open, internal, out_of_memory, cannot_create,
    io_failure, cancelled, time_limit.
    """

    def __init__(self, message, code="usage"):
        super().__init__(message)
        self.code = code

    def __reduce__(self):
        return type(self), (str(self), self.code)


class ConvergenceWarning(UserWarning):
    """The work ended before its tolerance; the answer is what there was, and its report says so."""
