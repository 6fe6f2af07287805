import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/db/sqlite/index.ts',
  out: './drizzle/sqlite',
})
