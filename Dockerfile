# The services' own packages: no test tools, and no PostgreSQL or Node of npm's, which the embedded default brings along.
FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/node node_modules/.bin/node

# One image for every service; which one runs is the command's to say. There is no build step: Node strips the types.
FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY . .
# Room for what calls in flight keep alive, and no word of a harmless slip of kafkajs.
ENV NODE_OPTIONS="--max-semi-space-size=64 --disable-warning=TimeoutNegativeWarning"
USER node
CMD ["node", "--help"]
