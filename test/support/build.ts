import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '../../src/folder/file-lock.ts'

const ROOT = join(import.meta.dir, '../..')
/** Where the executable lies between runs. Nobody else writes there, as anybody may in the system's temporary folder. */
const KEPT = join(ROOT, 'node_modules/.executable')
const LOCK = 'lock'
/** What goes into it, from the root of the repository. */
const SOURCES = ['{src,drizzle}/**/*', '{package,tsconfig}.json', 'bun.lock']

/** Puts the executable of the sources as they are at `file`. */
export async function copyExecutable(file: string): Promise<void> {
  await withExecutable((built) => copyFileSync(built, file))
  chmodSync(file, 0o755)
}

/** Builds the executable where it is not yet there: for a run, before its tests begin. */
export function buildExecutable(): Promise<void> {
  return withExecutable(() => {})
}

/**
 * The executable of the sources as they are. It is built by the first process that asks, whichever run it belongs to:
 * others wait meanwhile, and take what is there, which its name tells from that of other sources. A build that is
 * killed leaves nothing that would be taken for one.
 */
async function withExecutable(use: (path: string) => void): Promise<void> {
  mkdirSync(KEPT, { recursive: true })
  const name = `frontdesk-${fingerprint()}`
  const unlock = await lock()
  try {
    if (!existsSync(join(KEPT, name))) await build(name)
    use(join(KEPT, name))
  } finally {
    unlock()
  }
}

/** Waits for as long as another process builds. Its lock ends with it, however it ends. */
async function lock(): Promise<() => void> {
  for (;;) {
    const unlock = lockFile(join(KEPT, LOCK), 0)
    if (unlock) return unlock
    await Bun.sleep(100)
  }
}

/** In place of what was built of other sources, or half. It gets its name once it is whole. */
async function build(name: string): Promise<void> {
  for (const other of readdirSync(KEPT)) {
    if (!other.startsWith(LOCK)) rmSync(join(KEPT, other), { recursive: true, force: true })
  }
  // A build whose run was killed may still be writing into its own.
  const folder = mkdtempSync(join(KEPT, 'building-'))
  const file = join(folder, 'frontdesk')
  const building = Bun.spawn([process.execPath, 'run', 'build', '--outfile', file], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [code, stderr] = await Promise.all([building.exited, new Response(building.stderr).text()])
  if (code !== 0) throw new Error(`the build failed: ${stderr}`)
  renameSync(file, join(KEPT, name))
  rmSync(folder, { recursive: true, force: true })
}

/** Tells builds of different sources apart, and of different versions of Bun. */
function fingerprint(): string {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.revision)
  const paths = SOURCES.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT })])
  for (const path of paths.sort()) {
    const content = readFileSync(join(ROOT, path))
    hash.update(`${path}\n${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 16)
}
