"""Drop discs into seven columns; four in a row wins."""

from .rules import *
