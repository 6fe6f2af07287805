import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release.ts'
import { fileOf, isTarget, type Target, targets } from './targets.ts'

/*
 * `bun run package [--target NAME,…] [--into FOLDER]`: the executables of a release. Bun fetches itself, as it is for the
 * other targets, from the registry of its packages.
 */

const ROOT = join(import.meta.dir, '../..')

const { values } = parseArgs({ options: { target: { type: 'string' }, into: { type: 'string' } } })
const wanted = values.target?.split(',') ?? targets
const unknown = wanted.find((name) => !isTarget(name))
if (unknown !== undefined) {
  process.stderr.write(`--target: ${unknown} is none of ${targets.join(', ')}\n`)
  process.exit(2)
}

const released = await makeRelease(values.into ?? join(ROOT, 'dist/packages'), wanted as Target[], build)
for (const { file, size, compressed } of released) {
  process.stdout.write(`${file.padEnd(28)} ${megabytes(size)} MB, ${megabytes(compressed)} MB compressed\n`)
}

/** As `bun run build`, for another machine. Beside the executable Bun writes maps, which it has inside already. */
async function build(target: Target, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-package-'))
  try {
    const name = join(folder, fileOf(target))
    const building = Bun.spawn([process.execPath, 'run', 'build', '--target', `bun-${target}`, '--outfile', name], {
      cwd: ROOT,
      stdout: 'ignore',
      stderr: 'pipe',
    })
    const [code, said] = await Promise.all([building.exited, new Response(building.stderr).text()])
    if (code !== 0 || !existsSync(name)) throw new Error(`${target}: ${said}`)
    // The temporary folder may be on another disk.
    copyFileSync(name, file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
