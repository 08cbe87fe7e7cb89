# syntax=docker/dockerfile:1

FROM node:20.20.2-bookworm-slim AS compilers
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/check-native.mjs ./scripts/

FROM compilers AS build
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY scripts ./scripts
COPY src ./src
COPY adapters ./adapters
COPY demo ./demo
RUN npm run build

FROM compilers AS production
RUN npm ci --omit=dev

FROM node:20.20.2-bookworm-slim
# Without TROUPE_ADMIN_TOKEN the service refuses to listen beyond this machine: give the token to the container.
ENV NODE_ENV=production \
    TROUPE_HOST=0.0.0.0 \
    TROUPE_PORT=8730 \
    TROUPE_DATA_DIR=/data
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/demo ./demo
RUN mkdir /data && chown 10001:10001 /data
USER 10001:10001
VOLUME ["/data"]
EXPOSE 8730
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.TROUPE_PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/bin/troupe.js", "start"]
