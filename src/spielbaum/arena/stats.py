"""What a result means: the one place for statistics.

| question | answer | source |
|---|---|---|
| how sure is a score? | Wilson's interval | Wilson 1927 |
| how much stronger? | Elo difference with its interval | Elo 1978 |
| … of two who do not meet? | the difference of their Elo, with the errors of both | |
| is it stronger at all? | likelihood of superiority | as engine testers print it |
| … where games come in pairs? | the same from scores of pairs ("pentanomial") | Van den Bergh 2019 |
| do points differ? | the paired t-test over games | Student 1908 |
| … of players who share no game? | Welch's t-test | Welch 1947 |
| how sure is a mean? | Student's interval | Student 1908 |
| … of any distribution? | the bootstrap | Efron 1979 |
| how much does each part explain? | weighted ridge regression | Hoerl & Kennard 1970 |
| … of the variance? | the adjusted correlation ratio (ε²) | Kelley 1935 |
| … near a point? | the mean of its neighbours, by their nearness | Nadaraya 1964, Watson 1964 |
| may we stop? | sequential probability ratio test | Wald 1945; Michel Van den Bergh's generalised test |
| how much stronger, after we did? | median-unbiased estimate | Siegmund 1978 |
| who is best of many? | Elo by maximum likelihood | Bradley & Terry 1952 |
| … in teams? | the same with a team as the mean of its members | Huang, Lin & Weng 2006 |
| … with more than two sides? | Plackett-Luce ratings of openskill | Weng & Lin 2011 |

A score counts a win as 1 and a draw as 1/2. Heavy packages are imported where they are needed: SciPy takes
longer to load than everything else together.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from spielbaum.errors import SpielbaumError, unknown

MOST_ELO = 5000
Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution
AS_GOOD_AS_NORMAL = 1e5  # degrees of freedom beyond which Student's distribution is not worth loading SciPy for
ELO_PER_LOGIT = 400 / math.log(10)

Floats = npt.NDArray[np.float64]


# --- one score ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tally:
    """Wins, draws and losses of somebody; tallies add up.

    >>> Tally.of(1) + Tally.of(0.5) + Tally.of(0.5)
    Tally(wins=1, draws=2, losses=0)
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @staticmethod
    def of(points: float) -> Tally:
        """The tally of one game: 1 is a win, 0 a loss, anything between a draw."""
        return Tally(wins=int(points >= 1), draws=int(0 < points < 1), losses=int(points <= 0))

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """Share of the points."""
        return (self.wins + self.draws / 2) / self.games if self.games else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score."""
        return wilson(self.score, self.games)


def wilson(score: float, games: int, z: float = Z95, draw_share: float = 0.0) -> tuple[float, float]:
    """The shares of points p that a score does not contradict: those with (score - p)² <= z² v(p) / games.

    A game has the variance v(p) = p (1 - p) - draw_share / 4. Without `draw_share` this is Wilson's interval;
    draws then make it wider than it need be, never narrower.

    >>> tuple(round(x, 3) for x in wilson(0.6, 100))
    (0.502, 0.691)
    """
    if games == 0:
        return 0.0, 1.0
    k = z * z / games
    middle = score + k / 2
    spread = math.sqrt(k * max(0.0, score * (1 - score) - draw_share / 4) + k * k * (1 - draw_share) / 4)
    low, high = (middle - spread) / (1 + k), (middle + spread) / (1 + k)
    return (low if score > 0 else 0.0), (high if score < 1 else 1.0)  # exactly, not but for rounding


def share_error(share: float, games: int) -> float:
    """The standard error of a score of games that are won or lost.

    >>> share_error(0.5, 100)
    0.05
    """
    return math.sqrt(share * (1 - share) / games)


def shares_error(one: float, other: float, games: int) -> float:
    """The standard error of the difference of two scores of as many games each; never quite 0.

    >>> round(shares_error(0.5, 0.5, 200), 6)
    0.05
    """
    return math.sqrt(sum(share * (1 - share) for share in (one, other)) / games + 1e-12)


def elo(score: float) -> float:
    """The Elo difference that explains a score; infinite for a clean sweep.

    >>> round(elo(0.64))
    100
    """
    if math.isnan(score) or 0 < score < 1:
        return ELO_PER_LOGIT * (math.log(score) - math.log1p(-score))
    return math.copysign(math.inf, score - 0.5)


def detectable_elo(games: int, z: float = Z95, power: float = 0.8416212335729143) -> float:
    """The least Elo difference that so many games between two agents tell apart: 95 % sure, in 4 of 5 such matches.

    >>> round(detectable_elo(1000))
    31
    """
    return elo(min(1.0, 0.5 + (z + power) * 0.5 / math.sqrt(games))) if games else math.inf


def expected_score(difference: float) -> float:
    """The score that an Elo difference predicts.

    >>> expected_score(0), round(expected_score(400), 3)
    (0.5, 0.909)
    """
    return 1 / (1 + 10 ** (-difference / 400))


def elo_interval(tally: Tally, z: float = Z95) -> tuple[float, float, float]:
    """The Elo difference that a tally shows, and its 95 % interval: difference, low, high.

    As engine testers do it, the variance is that of the three outcomes, so that draws narrow it; unlike theirs
    it stays meaningful for clean sweeps and for a handful of games, as it is Wilson's interval on the Elo scale.
    The share of draws is taken as if one more game had been decided: else nothing but draws would mean certainty.

    >>> tuple(round(x) for x in elo_interval(Tally(wins=382, draws=298, losses=320)))
    (22, 3, 40)
    """
    low, high = wilson(tally.score, tally.games, z, tally.draws / (tally.games + 1))
    return elo(tally.score), elo(low), elo(high)


def elo_between(one: float, other: float, games: int) -> tuple[float, float, float]:
    """By how much one is stronger than another who played as many games against the same opponents, not each other.

    The difference of their Elo and its 95 % interval, from scores to which a draw is added, by the errors of both.

    >>> tuple(round(x) for x in elo_between(0.6, 0.5, 400))
    (70, 22, 119)
    """
    scores = [(score * games + 0.5) / (games + 1) for score in (one, other)]
    error = ELO_PER_LOGIT * math.sqrt(sum(1 / (games * score * (1 - score)) for score in scores))
    gain = elo(scores[0]) - elo(scores[1])
    return gain, gain - Z95 * error, gain + Z95 * error


def likelihood_of_superiority(tally: Tally) -> float:
    """The probability that the one with the better score is the better one; draws say nothing about it.

    >>> round(likelihood_of_superiority(Tally(wins=382, draws=298, losses=320)), 3)
    0.99
    """
    decided = tally.wins + tally.losses
    return 0.5 if decided == 0 else normal_cdf((tally.wins - tally.losses) / math.sqrt(decided))


@dataclass(frozen=True)
class Pairs:
    """Pairs of games with one opening and sides swapped, by their scores: how often 0, 1/2, 1, 3/2 and 2 points.

    What the opening decides is in both games of a pair, so that they are not independent; pairs are.
    """

    counts: tuple[int, ...]

    @property
    def games(self) -> int:
        return 2 * sum(self.counts)

    @property
    def score(self) -> float:
        """Share of the points."""
        return float(np.dot(self.counts, PAIR_SCORES)) / sum(self.counts)

    @property
    def variance(self) -> float:
        """Of a pair's score, taken as if one more pair had been decided: else a few equal ones would mean certainty."""
        squares = float(np.dot(self.counts, (PAIR_SCORES - self.score) ** 2))
        return (squares + 1 / 4) / (sum(self.counts) + 1)

    @property
    def elo_interval(self) -> tuple[float, float, float]:
        """The Elo difference and its 95 % interval: difference, low, high.

        As `elo_interval`, with the variance of the pairs in place of that of the games.

        >>> tuple(round(x) for x in Pairs((10, 50, 120, 90, 30)).elo_interval)
        (47, 27, 66)
        """
        draw_share = 4 * (self.score * (1 - self.score) - 2 * self.variance)
        low, high = wilson(self.score, self.games, Z95, draw_share)
        return elo(self.score), elo(low), elo(high)

    @property
    def likelihood_of_superiority(self) -> float:
        """The probability that the first one is the better one."""
        return normal_cdf((self.score - 1 / 2) / math.sqrt(self.variance / sum(self.counts)))


PAIR_SCORES = np.linspace(0, 1, 5)


def normal_cdf(z: float) -> float:
    """The share of a standard normal distribution below z."""
    return 0.5 * math.erfc(-z / math.sqrt(2))


# --- means ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TTest:
    """Two means, and how likely so large a difference is by chance alone; `p` is nan if nothing can be said."""

    mean_a: float
    mean_b: float
    t: float
    freedom: float
    p: float
    low: float = math.nan
    """The 95 % interval of the difference, from here …"""
    high: float = math.nan
    """… to here."""


def welch(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> TTest:
    """Whether two samples have the same mean, without assuming the same spread.

    >>> round(welch([5, 7, 9, 6], [1, 3, 2, 4]).p, 4)
    0.0085
    """
    mean_a, mean_b = (float(np.mean(x)) if len(x) else math.nan for x in (a, b))
    if min(len(a), len(b)) < 2:
        return TTest(mean_a, mean_b, math.nan, math.nan, math.nan)
    share_a, share_b = (float(np.var(x, ddof=1)) / len(x) for x in (a, b))
    if share_a + share_b == 0:
        return TTest(mean_a, mean_b, math.nan, math.nan, math.nan)
    error = math.sqrt(share_a + share_b)
    t = (mean_a - mean_b) / error
    freedom = (share_a + share_b) ** 2 / (share_a**2 / (len(a) - 1) + share_b**2 / (len(b) - 1))
    half = student_95(freedom) * error
    low, high = mean_a - mean_b - half, mean_a - mean_b + half
    return TTest(mean_a, mean_b, t, freedom, student_p(t, freedom), low, high)


def paired(a: Sequence[float] | Floats, b: Sequence[float] | Floats) -> TTest:
    """Whether what two have in the same games has the same mean: Student's t-test of the differences.

    What those who share a game have in it depends on each other: one's points are the other's loss. Differences of
    different games do not.

    >>> round(paired([5, 7, 9, 6], [4, 5, 8, 4]).p, 4)
    0.0138
    """
    mean_a, mean_b = (float(np.mean(x)) if len(x) else math.nan for x in (a, b))
    differences = np.asarray(a, float) - np.asarray(b, float)
    mean, low, high = mean_interval(differences)
    error = float(np.std(differences, ddof=1)) / math.sqrt(len(differences)) if len(differences) > 1 else 0.0
    if error == 0:
        return TTest(mean_a, mean_b, math.nan, math.nan, math.nan)
    freedom = len(differences) - 1
    return TTest(mean_a, mean_b, mean / error, freedom, student_p(mean / error, freedom), low, high)


def student_p(t: float, freedom: float) -> float:
    """The two-sided p-value of Student's distribution."""
    if freedom > AS_GOOD_AS_NORMAL:
        return 2 * normal_cdf(-abs(t))
    from scipy.special import stdtr

    return 2 * float(stdtr(freedom, -abs(t)))


def student_95(freedom: float) -> float:
    """How many standard errors a 95 % interval reaches to either side."""
    if freedom > AS_GOOD_AS_NORMAL:
        return Z95
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.975))


def mean_interval(values: Sequence[float] | Floats) -> tuple[float, float, float]:
    """The mean of a sample and its 95 % interval by Student's distribution: mean, low, high; nan where nobody knows.

    >>> tuple(round(x, 2) for x in mean_interval([1, 2, 3, 4, 5]))
    (3.0, 1.04, 4.96)
    """
    mean = float(np.mean(values)) if len(values) else math.nan
    if len(values) < 2:
        return mean, math.nan, math.nan
    half = student_95(len(values) - 1) * float(np.std(values, ddof=1)) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def bootstrap(values: Sequence[float] | Floats, seed: int = 0, rounds: int = 2000) -> tuple[float, float]:
    """The 95 % interval of a mean whose distribution nobody knows: the middle of the means of resamples.

    >>> low, high = bootstrap([1, 2, 3, 4, 5])
    >>> 1 < low < 3 < high < 5
    True
    """
    sample, rng = np.asarray(values, float), np.random.default_rng(seed)
    means = [rng.choice(sample, len(sample)).mean() for _ in range(rounds)]
    low, high = np.percentile(means, [2.5, 97.5])
    return float(low), float(high)


# --- regression -----------------------------------------------------------------------------------


def weighted_ridge(rows: Floats, values: Floats, weights: Floats, ridge: float) -> tuple[Floats, Floats]:
    """Linear regression of f8[n] values on f8[n, k] rows: f8[k] coefficients and their f8[k, k] covariance.

    A row counts `weights` times, and `ridge` rows say of each coefficient that it is 0:

        b = (X' W X + ridge I)^-1 X' W y,    covariance = s^2 (X' W X + ridge I)^-1

    with s^2 the weighted squares of what is left over n - k degrees of freedom.
    """
    scaled = rows * weights[:, None]
    inverse = np.linalg.inv(rows.T @ scaled + ridge * np.eye(rows.shape[1]))
    found = inverse @ (scaled.T @ values)
    spread = float(np.sum(weights * (values - rows @ found) ** 2)) / max(1, len(rows) - rows.shape[1])
    return found, inverse * max(spread, 1e-12)


def difference_errors(covariance: Floats, one: int) -> Floats:
    """f8[k]: the standard errors of the differences between each of k estimates and one of them."""
    variances = np.diag(covariance) + covariance[one, one] - 2 * covariance[:, one]
    return np.asarray(np.sqrt(np.maximum(variances, 0.0)))


def correlation_ratio(values: Floats, groups: npt.NDArray[np.int64]) -> float:
    """The share of the variance of f8[n] values that lies between groups, given as i8[n]; about 0 for groups by chance.

    1 - (squares within groups / (n - groups)) / (variance of all), and 0 where that is negative or nobody knows.
    """
    numbers = np.unique(groups)
    inside = sum(float(((values[groups == one] - values[groups == one].mean()) ** 2).sum()) for one in numbers)
    freedom = len(values) - len(numbers)
    spread = float(values.var(ddof=1)) if freedom > 0 else 0.0
    return max(0.0, 1 - inside / freedom / spread) if spread > 0 else 0.0


def kernel_regression(nearness: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The mean of f8[n] values weighted by f8[..., n] nearness to some points: f8[...], and the sums of the weights.

    Points that nothing is near have nan.
    """
    total = nearness.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return nearness @ values / total, total


# --- sequential testing ---------------------------------------------------------------------------

PRIOR_COUNT = 0.25  # per outcome: a spread estimated from a handful of games must not look like certainty
MOST_STEPS, PRECISION = 60, 1e-9  # of the search for the likeliest distribution


@dataclass(frozen=True)
class Sprt:
    """Wald's test of `elo1` against `elo0`: stop as soon as the evidence is enough for either.

    At `elo0` it accepts `elo1` with a probability of `alpha` at most, at `elo1` it accepts `elo0` with one of
    `beta` at most.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise SpielbaumError(f"elo0 must be below elo1, not elo0={self.elo0:g} and elo1={self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise SpielbaumError(f"{name} must be between 0 and 0.5, not {getattr(self, name):g}")
        for name in ("elo0", "elo1"):
            if not abs(getattr(self, name)) <= MOST_ELO:
                raise SpielbaumError(f"{name} must be between -{MOST_ELO} and {MOST_ELO}, not {getattr(self, name):g}")

    def __str__(self) -> str:
        """
        >>> str(Sprt(elo1=7.5))
        'elo0=0,elo1=7.5,alpha=0.05,beta=0.05'
        """
        return ",".join(f"{name}={value:g}" for name, value in vars(self).items())

    @staticmethod
    def parse(text: str) -> Sprt:
        """The test that the command line writes as `elo0=0,elo1=10,alpha=0.05,beta=0.05`; all but elo1 may be absent.

        >>> Sprt.parse("elo0=-5,elo1=5")
        Sprt(elo0=-5.0, elo1=5.0, alpha=0.05, beta=0.05)
        """
        values: dict[str, float] = {}
        for part in filter(None, text.replace(" ", "").split(",")):
            name, _, value = part.partition("=")
            if name not in Sprt.__dataclass_fields__:
                raise unknown("parameter", name, Sprt.__dataclass_fields__, "the SPRT")
            if name in values:
                raise SpielbaumError(f"parameter {name!r} of the SPRT is given twice")
            try:
                values[name] = float(value)
            except ValueError:
                raise SpielbaumError(f"parameter {name!r} of the SPRT must be a number, not {value!r}") from None
        if "elo1" not in values:
            raise SpielbaumError("the SPRT needs elo1, the difference worth finding: elo0=0,elo1=10")
        return Sprt(**values)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test ends: for elo0 and for elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of what was counted (see `count_scores`): positive speaks for elo1.

        >>> round(Sprt(0, 3).llr([4063, 8620, 4307]), 2)
        2.99
        """
        return float(self.llrs(counts)) if sum(counts) else 0.0

    def llrs(self, counts: npt.ArrayLike) -> Floats:
        """The same for many counts at once, each in the last axis."""
        return log_likelihood_ratio(counts, expected_score(self.elo0), expected_score(self.elo1))

    def verdict(self, counts: Sequence[int]) -> str | None:
        """`elo1` or `elo0` when the test has ended, otherwise None."""
        low, high = self.bounds
        ratio = self.llr(counts)
        return "elo1" if ratio >= high else "elo0" if ratio <= low else None


def estimate_after(test: Sprt, counts: Sequence[int]) -> tuple[float, float, float]:
    """How much stronger, after a sequential test has ended: the Elo difference and its 95 % interval.

    A test stops when luck is with somebody, so that the score at its end exaggerates. Here the differences under which
    an end at least as favourable (for elo1: as early; for elo0: as late or none) has a probability of 1/2, 1/40 and
    39/40: Siegmund's ordering. The log-likelihood ratio is taken for Brownian motion, as Van den Bergh does, that has
    reached the value where it was stopped.
    """
    steps, ratio, (low, high) = sum(counts), test.llr(counts), test.bounds
    shares, scores = np.asarray(counts, float) / steps, np.linspace(0, 1, len(counts))
    indifferent = (expected_score(test.elo0) + expected_score(test.elo1)) / 2
    score = float(shares @ scores)
    unit = ratio / steps / (score - indifferent)  # what a point has counted for
    spread = unit**2 * (float(shares @ (scores - score) ** 2) + PRIOR_COUNT / steps)

    def as_favourable(score: float) -> float:
        drift = unit * (score - indifferent)
        if ratio > 0:
            return reaches(max(ratio, high), -low, steps, drift, spread)
        return 1 - reaches(max(-ratio, -low), high, steps, -drift, spread)

    middle, bottom, top = (elo(bisect(as_favourable, share)) for share in (0.5, 0.025, 0.975))
    return middle, bottom, top


def reaches(here: float, there: float, time: float, drift: float, variance: float) -> float:
    """The probability that Brownian motion is at +here by a time, and has not been at -there before.

    The chance to be there ever, less that to be there later (Fourier's series); while the other side is still out of
    reach, the inverse Gaussian distribution.
    """
    width = here + there
    if variance * time < 0.02 * width**2:
        root = math.sqrt(variance * time)
        back = math.exp(min(700.0, 2 * drift * here / variance)) * normal_cdf(-(here + drift * time) / root)
        return min(1.0, normal_cdf((drift * time - here) / root) + back)
    pull = 2 * drift / variance
    if abs(pull * width) < 1e-9:
        ever = there / width
    elif pull > 0:
        ever = math.expm1(-pull * there) / math.expm1(-pull * width)
    else:
        ever = math.exp(pull * here) * math.expm1(pull * there) / math.expm1(pull * width)
    n = np.arange(1, 200)
    decay = (n * math.pi / width) ** 2 * variance / 2 + drift**2 / (2 * variance)
    signs = np.where(n % 2, 1.0, -1.0) * np.sin(n * math.pi * there / width)
    later = n * signs * np.exp(drift * here / variance - decay * time) / decay
    return min(1.0, max(0.0, ever - variance * math.pi / width**2 * float(later.sum())))


def bisect(rising: Callable[[float], float], value: float) -> float:
    """Where between 0 and 1 a rising function has a value."""
    low, high = 0.0, 1.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < value else (low, middle)
    return (low + high) / 2


def count_scores(points: Iterable[float], together: int = 1) -> list[int]:
    """How often each score occurred, from the worst to the best.

    Of games: losses, draws, wins. With `together=2`, of pairs of consecutive games with one opening and sides
    swapped: 0, 1/2, 1, 3/2 and 2 points. Pairs take the luck of the opening out of the result, so that the test
    ends sooner; the game of a pair that still misses its other half is left out.

    >>> count_scores([1, 0.5, 0, 1, 1])
    [1, 1, 3]
    >>> count_scores([1, 0.5, 0, 1, 1], together=2)
    [0, 0, 1, 1, 0]
    """
    halves = np.array([round(2 * value) for value in points], np.int64)
    whole = halves[: len(halves) // together * together].reshape(-1, together).sum(axis=1)
    return [int(count) for count in np.bincount(whole, minlength=2 * together + 1)]


def log_likelihood_ratio(counts: npt.ArrayLike, mean0: float, mean1: float) -> Floats:
    """Van den Bergh's generalised test, for counts of equally spaced scores in the last axis.

    Each hypothesis is given the distribution with its mean under which the counts are likeliest.
    """
    counted = np.asarray(counts, float) + PRIOR_COUNT
    scores = np.linspace(0, 1, counted.shape[-1])
    ratio = log_tilt(counted, scores - mean0) - log_tilt(counted, scores - mean1)
    return np.asarray((counted * ratio).sum(axis=-1))


def log_tilt(counted: Floats, offsets: Floats) -> Floats:
    """By how much (as a logarithm) the likeliest distribution with mean offset 0 lowers each observed share.

    It is share / (1 + t offset), with t such that the mean is 0 (Owen 1988, empirical likelihood). The mean falls as
    t grows: Newton's method finds it, and halving where a step would leave the interval that is known to hold it.
    """
    t = np.zeros(counted.shape[:-1])
    low, high = (np.full_like(t, -(1 - 1e-12) / offset) for offset in (offsets[-1], offsets[0]))  # inside the poles
    for _ in range(MOST_STEPS):
        pull = offsets / (1 + t[..., None] * offsets)
        mean, slope = (counted * pull).sum(axis=-1), (counted * pull * pull).sum(axis=-1)
        low, high = np.where(mean > 0, t, low), np.where(mean > 0, high, t)
        step = t + mean / slope
        before, t = t, np.where((low <= step) & (step <= high), step, (low + high) / 2)
        if np.abs(t - before).max(initial=0) < PRECISION:
            break
    return np.log1p(t[..., None] * offsets)


# --- ratings --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rating:
    """A place in the ranking: strength, its standard error, and the p-value of being no better than the next.

    `p_next` is two-sided; the last of the ranking has none.
    """

    name: str
    value: float
    error: float
    p_next: float | None


def bradley_terry(
    names: Sequence[str], points: npt.ArrayLike, games: npt.ArrayLike, draws: npt.ArrayLike = 0
) -> list[Rating]:
    """Elo ratings by maximum likelihood, relative to the mean of the field, best first.

    `points[i, j]` is what i scored against j in `games[i, j]` games, of which `draws[i, j]` were drawn; without
    `draws` errors are as wide as if every game had been decided. A draw of each against somebody average keeps clean
    sweeps finite. Errors are those of the distance from the mean of the field.

    >>> [(rating.name, round(rating.value)) for rating in bradley_terry("ab", [[0, 64], [36, 0]], [[0, 100], [100, 0]])]
    [('a', 50), ('b', -50)]
    """
    scored, played = np.asarray(points, float), np.asarray(games, float)
    strength = likeliest_strengths(scored, played)
    centre = np.eye(len(names)) - 1 / len(names)
    covariance = centre @ strength_covariance(strength, played, np.asarray(draws, float)) @ centre
    return ranking(names, centre @ strength * ELO_PER_LOGIT, covariance * ELO_PER_LOGIT**2)


def likeliest_strengths(points: Floats, games: Floats) -> Floats:
    """Strengths in logits under which these points in these games are likeliest (Newton's method)."""
    strength = np.zeros(len(points))
    for _ in range(200):
        expected = games * logistic(strength[:, None] - strength)
        gradient = (points - expected).sum(axis=1) + 0.5 - logistic(strength)
        step = np.linalg.solve(information(strength, games), gradient)
        strength = strength + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    return strength


def strength_covariance(strength: Floats, games: Floats, draws: Floats) -> Floats:
    """Covariance of the strengths; a draw share of d lowers a game's variance from p (1 - p) by d / 4."""
    expected = logistic(strength[:, None] - strength)
    spread = np.maximum(games * expected * (1 - expected) - draws / 4, 0)
    average = logistic(strength) * (1 - logistic(strength))
    inverse = np.linalg.inv(information(strength, games))
    return np.asarray(inverse @ (np.diag(spread.sum(axis=1) + average) - spread) @ inverse)


def information(strength: Floats, games: Floats) -> Floats:
    """What games between these strengths tell about them (Fisher's matrix), with the draw against somebody average."""
    expected = logistic(strength[:, None] - strength)
    weights = games * expected * (1 - expected)
    average = logistic(strength) * (1 - logistic(strength))
    return np.asarray(np.diag(weights.sum(axis=1) + average) - weights)


def logistic(x: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-x)))


def team_ratings(
    names: Sequence[str], sides: npt.ArrayLike, scores: npt.ArrayLike, together: npt.NDArray[np.int64] | None = None
) -> tuple[list[Rating], float]:
    """Elo ratings from games between two teams, best first, and the p-value of all being equal.

    A team is as strong as its members on average, and each game counts once: `sides[g, i]` is the share of i in the
    first team of game g less that in the second, `scores[g]` what the first team scored. The advantage of the first
    team is estimated along with the strengths. Errors are those of the scores themselves (White 1980); games with the
    same number in `together` may depend on each other.

    >>> ratings, p = team_ratings("abc", [[1, -0.5, -0.5], [-0.5, 1, -0.5], [-0.5, -0.5, 1]] * 40, [1, 0.5, 0] * 40)
    >>> [rating.name for rating in ratings], p < 0.01
    (['a', 'b', 'c'], True)
    """
    table, scored = np.asarray(sides, float), np.asarray(scores, float)
    design = np.column_stack([table, np.ones(len(table))])
    strength, expected, inverse = team_strengths(design, scored)
    surprises = summed(design * (scored - expected)[:, None], together)
    units, size = surprises.shape
    covariance = inverse @ (surprises.T @ surprises) @ inverse * (units / max(1, units - size))
    centre = (np.eye(size) - 1 / len(names))[:-1] * (np.arange(size) < len(names))
    ratings = ranking(names, centre @ strength * ELO_PER_LOGIT, centre @ covariance @ centre.T * ELO_PER_LOGIT**2)
    return ratings, no_mean_p(summed(table * (scored - scored.mean())[:, None], together), len(names) - 1)


def team_strengths(design: Floats, scored: Floats) -> tuple[Floats, Floats, Floats]:
    """The likeliest strengths in logits (Newton's method), the scores that they predict, and the inverse information.

    As for pairs, a draw of each against somebody average keeps clean sweeps finite.
    """
    strength: Floats = np.zeros(design.shape[1])
    for _ in range(200):
        expected, average = logistic(design @ strength), logistic(strength)
        told = (design.T * (expected * (1 - expected))) @ design + np.diag(average * (1 - average))
        step = np.linalg.solve(told, design.T @ (scored - expected) + 0.5 - average)
        strength = strength + np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-10:
            break
    return strength, expected, np.asarray(np.linalg.inv(told), float)


def summed(rows: Floats, together: npt.NDArray[np.int64] | None) -> Floats:
    """The sums of rows with the same number."""
    return rows if together is None else np.stack([np.bincount(together, column) for column in rows.T], axis=1)


def no_mean_p(vectors: Floats, rank: int) -> float:
    """The p-value of vectors, one per row, having the mean 0: Hotelling's test, where so many dimensions are free."""
    from scipy.special import fdtrc

    units = len(vectors)
    if units <= rank:
        return math.nan
    mean, spread = vectors.mean(axis=0), np.atleast_2d(np.cov(vectors, rowvar=False))
    distance = units * float(mean @ np.linalg.pinv(spread, rcond=1e-9, hermitian=True) @ mean)
    return float(fdtrc(rank, units - rank, distance * (units - rank) / (rank * (units - 1))))


def plackett_luce(
    names: Sequence[str], games: Iterable[tuple[Sequence[Sequence[int]], Sequence[float]]]
) -> list[Rating]:
    """Ratings for games of more than two sides, best first: mu and sigma of openskill's Plackett-Luce model.

    A game is its teams (as indices into `names`; alone is a team of one) and the points of each team. The model
    reads them in order and starts everybody at 25 ± 8.3; agents do not learn between games, so its drift is off.
    Its errors are cautious: for equals they are about a third wider than the spread over repeated tournaments.
    An agent that sits in several teams of one game cannot beat itself: such games are left out.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in names]
    for seated, points in games:
        teams = [list(dict.fromkeys(team)) for team in seated]
        everybody = [agent for team in teams for agent in team]
        if len(set(everybody)) < len(everybody):
            continue
        rated = model.rate([[ratings[agent] for agent in team] for team in teams], scores=list(points))
        for agent, rating in zip(everybody, (rating for team in rated for rating in team), strict=True):
            ratings[agent] = rating
    return ranking(names, np.array([rating.mu for rating in ratings]), np.diag([rating.sigma**2 for rating in ratings]))


def ranking(names: Sequence[str], values: Floats, covariance: Floats) -> list[Rating]:
    """Who stands where, best first, with the significance of the distance to the next."""
    order = sorted(range(len(names)), key=lambda i: (-values[i], names[i]))
    gaps: list[float | None] = [difference_p(values, covariance, i, j) for i, j in itertools.pairwise(order)]
    return [
        Rating(names[i], float(values[i]), math.sqrt(covariance[i, i]), p)
        for i, p in zip(order, [*gaps, None][: len(order)], strict=True)
    ]


def difference_p(values: Floats, covariance: Floats, i: int, j: int) -> float:
    """The two-sided p-value of the difference between two estimates with this covariance."""
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    return 2 * normal_cdf(-abs(values[i] - values[j]) / math.sqrt(variance)) if variance > 0 else 1.0
