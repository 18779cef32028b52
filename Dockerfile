# The image of Sluice: docs/containers.md
#
#   docker build -t sluice .
#   docker build -t sluice --build-arg BASE=node:24-trixie-slim@sha256:… .     pins the base
#   docker build -t sluice --secret id=npmrc,src=$HOME/.npmrc .                uses your own package registry

ARG BASE=node:24-trixie-slim

# What Sluice needs at run time.
FROM ${BASE} AS dependencies
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=cache,target=/root/.npm \
    npm ci --omit=dev --ignore-scripts \
 # A compiler that a dependency names for its types, and files that only editors and debuggers read.
 && rm -rf node_modules/typescript node_modules/@typescript node_modules/.bin \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The package, as it is published.
FROM ${BASE} AS package
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc \
    --mount=type=cache,target=/root/.npm \
    npm ci --ignore-scripts
COPY . .
RUN npm run build \
 && npm pack --ignore-scripts --pack-destination /tmp \
 && mkdir /app \
 && tar --extract --file /tmp/sluice-*.tgz --directory /app --strip-components 1 --no-same-owner \
 && chmod 0755 /app/bin/sluice.js \
 && cp deploy/image/health.js /app/health.js

FROM ${BASE} AS init
RUN apt-get update \
 && apt-get install --yes --no-install-recommends tini \
 && rm -rf /var/lib/apt/lists/*

FROM ${BASE}
ARG BASE
ARG BASE_DIGEST=
ARG VERSION=0.1.0
ARG REVISION=
ARG SOURCE=https://github.com/sluice/sluice
LABEL org.opencontainers.image.title="Sluice" \
      org.opencontainers.image.description="Connect once, and safely use all of it: a gateway that makes many MCP servers, n8n and a self-hosted stack one MCP server." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE}/blob/main/docs/containers.md" \
      org.opencontainers.image.base.name="${BASE}" \
      org.opencontainers.image.base.digest="${BASE_DIGEST}" \
      io.modelcontextprotocol.server.name="io.github.sluice/sluice"

# npm stays: servers such as `npx -y …` need it. So does the shell, for the watchdog.
RUN rm -rf /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg /usr/local/bin/corepack \
      /usr/local/lib/node_modules/corepack /usr/local/include \
 && mkdir --parents /config /data /tools \
 && chmod 0700 /data /tools \
 && chown 1000:1000 /data /tools \
 && ln -s /app/bin/sluice.js /usr/local/bin/sluice

# Everything that is written goes to /data and /tmp. HOME is where servers keep their own files.
ENV NODE_ENV=production \
    HOME=/data \
    SLUICE_HOME=/data \
    SLUICE_CACHE=/data/cache \
    SLUICE_HOST=0.0.0.0 \
    npm_config_cache=/data/cache/npm \
    npm_config_update_notifier=false

WORKDIR /config
EXPOSE 3500
VOLUME ["/data", "/tmp"]
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 CMD ["node", "/app/health.js"]
ENTRYPOINT ["/usr/bin/tini", "--", "node", "/app/bin/sluice.js"]
CMD ["serve"]

COPY --from=init /usr/bin/tini-static /usr/bin/tini
COPY --from=dependencies /build/node_modules /app/node_modules
USER 1000:1000
COPY --from=package /app /app
