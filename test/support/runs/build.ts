import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { lockFile } from '../../../src/folder/file-lock.ts'

const ROOT = join(import.meta.dir, '../../..')
/** Where what is built lies between runs. Nobody else writes there, as anybody may in the system's temporary folder. */
const KEPT = join(ROOT, 'node_modules')
const LOCK = 'lock'
/** What goes into it, from the root of the repository. */
const SOURCES = ['{src,drizzle}/**/*', '{package,tsconfig}.json', 'bun.lock']

/** What a script of `package.json` builds, to where its option says. */
interface Product {
  readonly script: string
  readonly option: string
}

const program: Product = { script: 'build', option: '--outfile' }
const client: Product = { script: 'client', option: '--into' }

/** Puts the executable of the sources as they are at `file`. */
export async function copyExecutable(file: string): Promise<void> {
  await withBuilt(program, (built) => copyFileSync(built, file))
  chmodSync(file, 0o755)
}

/** Builds the executable where it is not yet there: for a run, before its tests begin. */
export function buildExecutable(): Promise<void> {
  return withBuilt(program, () => {})
}

/** Puts the package of the client at `folder`, which is not there yet. */
export function copyClient(folder: string): Promise<void> {
  return withBuilt(client, (built) => cpSync(built, folder, { recursive: true }))
}

/**
 * What is built of the sources as they are. It is built by the first process that asks, whichever run it belongs to:
 * others wait meanwhile, and take what is there, which its name tells from that of other sources. A build that is
 * killed leaves nothing that would be taken for one.
 */
async function withBuilt(product: Product, use: (path: string) => void): Promise<void> {
  const kept = join(KEPT, `.built-${product.script}`)
  mkdirSync(kept, { recursive: true })
  const built = join(kept, fingerprint())
  const unlock = await lock(kept)
  try {
    if (!existsSync(built)) await build(product, kept, built)
    use(built)
  } finally {
    unlock()
  }
}

/** Waits for as long as another process builds. Its lock ends with it, however it ends. */
async function lock(kept: string): Promise<() => void> {
  for (;;) {
    const unlock = lockFile(join(kept, LOCK), 0)
    if (unlock) return unlock
    await Bun.sleep(100)
  }
}

/** In place of what was built of other sources, or half. It gets its name once it is whole. */
async function build({ script, option }: Product, kept: string, built: string): Promise<void> {
  for (const other of readdirSync(kept)) {
    if (!other.startsWith(LOCK)) rmSync(join(kept, other), { recursive: true, force: true })
  }
  // A build whose run was killed may still be writing into its own.
  const folder = mkdtempSync(join(kept, 'building-'))
  const made = join(folder, 'made')
  const building = Bun.spawn([process.execPath, 'run', script, option, made], {
    cwd: ROOT,
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [code, stderr] = await Promise.all([building.exited, new Response(building.stderr).text()])
  if (code !== 0) throw new Error(`bun run ${script} failed: ${stderr}`)
  renameSync(made, built)
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
