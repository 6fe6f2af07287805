import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Program } from '../processes/program.ts'

const ROOT = join(import.meta.dir, '../../..')
const JOURNAL = 'drizzle/postgres/meta/_journal.json'

/**
 * The commit before the newest that changed the tables: one version away from the sources as they are. Null where the
 * history does not reach back so far.
 */
export const earlierCommit = ((): string | null => {
  const newest = git('log', '-1', '--format=%H', '--', JOURNAL)
  return newest && git('rev-parse', '--verify', '--quiet', `${newest}^`)
})()

/** The program as it was at that commit. Close it when done. */
export function earlierProgram(commit: string): Program & { close(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-earlier-'))
  const unpacked = Bun.spawnSync(['sh', '-c', `git archive ${commit} | tar -x -C ${folder}`], { cwd: ROOT })
  if (unpacked.exitCode !== 0) throw new Error(unpacked.stderr.toString())
  const lock = (root: string) => readFileSync(join(root, 'bun.lock'), 'utf8')
  if (lock(folder) === lock(ROOT)) symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  else install(folder)
  return {
    command: [process.execPath, join(folder, 'src/main.ts')],
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function install(folder: string): void {
  const installed = Bun.spawnSync([process.execPath, 'install', '--frozen-lockfile', '--silent'], { cwd: folder })
  if (installed.exitCode !== 0) throw new Error(installed.stderr.toString())
}

/** What git answers, if it is here, this is a repository and the history reaches back so far. */
function git(...args: string[]): string | null {
  if (!Bun.which('git')) return null
  const { exitCode, stdout } = Bun.spawnSync(['git', ...args], { cwd: ROOT, stderr: 'ignore' })
  return exitCode === 0 ? stdout.toString().trim() || null : null
}
