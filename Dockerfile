# Plays one game of spe_ed on a server of the InformatiCup 2021, and exits. Where, the environment tells:
#
#   docker build -t spielbaum-spe_ed .
#   docker run -e URL=wss://… -e KEY=… -e TIME_URL=https://… spielbaum-spe_ed

FROM python:3.11-slim

# What playing needs, and nothing for the browser or for reports.
COPY requirements/dev.lock /tmp/versions.txt
RUN pip install --no-cache-dir --constraint /tmp/versions.txt numba numpy platformdirs typer websockets

WORKDIR /spielbaum
RUN useradd player && chown player .
USER player
COPY src src
ENV PYTHONPATH=/spielbaum/src SPIELBAUM_CACHE=/spielbaum/cache PYTHONUNBUFFERED=1

# Machine code for this processor; on another one it is made when the container starts, before it asks for a game.
RUN python -m spielbaum warm spe_ed

ENTRYPOINT ["python", "-m", "spielbaum", "spe_ed", "join"]
