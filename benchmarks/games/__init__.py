"""Games as a new author would write them: plain rules on plain boards, nothing clever. For measuring only."""
