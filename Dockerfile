# The packages that services need: no test tools, and neither the PostgreSQL nor the Node that npm installs for the
# embedded default.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node node_modules/.bin/node

# The console. Its build needs a binary of the platform, which is an optional package.
FROM node:24.21.0-bookworm-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/buildConsole.ts

# One image for all services and operators' commands; the command chooses. Beside the console there is no build step: Node
# strips the types.
FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# Found by the hash of its sources, so that no backend builds it.
COPY --from=console /app/node_modules/.cache/console node_modules/.cache/console
# A larger young generation for the objects of calls in flight, and no warning about a harmless fault of kafkajs. The commands of
# docker-compose.yml also have --no-parallel-scavenge, which Node does not take from here.
ENV NODE_OPTIONS="--max-semi-space-size=64 --disable-warning=TimeoutNegativeWarning"
# The commit, for tollgate_build_info: docker compose build --build-arg REVISION=$(git rev-parse HEAD)
ARG REVISION=""
RUN printf %s "$REVISION" > revision
# A volume mounted here belongs to the user of the services.
RUN mkdir /data && chown node:node /data
USER node
CMD ["node", "--help"]
