// As many kills as nodes of one database get, which takes longer than a check should. `bun run chaos` asks for more.
process.env.CHAOS_KILLS ??= '50'
await import('../blackbox/kill.test.ts')

export {}
