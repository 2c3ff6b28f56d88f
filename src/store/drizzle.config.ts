/**
 * For drizzle-kit, after a change of schema/:
 *   npx drizzle-kit generate --config src/store/drizzle.config.ts --name what-changed
 *   npx biome check --write src/store/migrations
 * A migration that has been released is never edited: databases remember its hash.
 */
export default {
  dialect: 'postgresql',
  schema: './src/store/schema/index.ts',
  out: './src/store/migrations',
};
