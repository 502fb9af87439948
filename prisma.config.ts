import { defineConfig } from 'prisma/config';

/** For the Prisma CLI only; the service itself reads its configuration in src/config. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env['DATABASE_URL'] ?? 'postgresql://127.0.0.1:5432/casebook' },
});
