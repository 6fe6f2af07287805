// More kills than a check should wait for. `bun run chaos` asks for more still.
process.env.CHAOS_KILLS ??= '50'
await import('../blackbox/kills/kill.test.ts')

export {}
