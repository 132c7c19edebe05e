# docker build -t simcli .
# docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/table" simcli run classic
FROM python:3.11-slim AS build
WORKDIR /source
COPY . .
RUN pip install --no-cache-dir build && python -m build --wheel --outdir /wheel

FROM python:3.11-slim
COPY --from=build /wheel /wheel
# the engine is compiled here, once, and not at each start; anybody may add to what is compiled
ENV SIMCLI_CACHE_DIR=/var/cache/simcli HOME=/tmp
RUN pip install --no-cache-dir /wheel/*.whl && rm -r /wheel \
    && simcli run classic -n 1000 --workers 1 --out /tmp/warm && rm -r /tmp/warm \
    && chmod -R a+rwX /var/cache/simcli
WORKDIR /table
ENTRYPOINT ["simcli"]
