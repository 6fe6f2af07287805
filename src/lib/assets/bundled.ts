import { join } from 'node:path'

/** Runs at build time only (imported as a macro): a script, by its path in `src`, and what it imports, as browsers take it. */
export function bundled(name: string): string {
  const options = ['--minify', '--target=browser', '--format=iife']
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    process.execPath,
    'build',
    join(import.meta.dir, '../..', `${name}.ts`),
    ...options,
  ])
  if (exitCode !== 0) throw new Error(`${name}.ts cannot be bundled: ${stderr}`)
  return stdout.toString()
}
