import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dependencies } from '../../../package.json' with { type: 'json' }

/** A piece of software of others that frontdesk is made of. */
export interface Licence {
  readonly name: string
  readonly version: string
  /** SPDX, as its maker declares it. */
  readonly licence: string
  /** Licence and notices, as they come with it; empty where nothing does. */
  readonly text: string
}

const ROOT = join(import.meta.dir, '../../..')

interface Manifest {
  name: string
  version: string
  license?: string
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

/**
 * Runs at build time only (imported as a macro): Bun, which the executable is built on, and everything that our
 * dependencies are made of, by name. A little of that may not be in the executable; nothing in it is left out.
 */
export function bundledLicences(): Licence[] {
  const found = new Map<string, Licence>()
  const waiting = Object.keys(dependencies).map((name) => folderOf(name, ROOT))
  for (const folder of waiting) {
    const manifest: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const { name, version, license = 'see below' } = manifest
    const id = `${name} ${version}`
    if (found.has(id)) continue
    found.set(id, { name, version, licence: license, text: textsIn(folder) })
    waiting.push(...neededBy(manifest).map((needed) => folderOf(needed, folder)))
  }
  const packages = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return [{ name: 'bun', version: Bun.version, licence: 'MIT', text: bunLicence() }, ...packages]
}

function neededBy({ dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }: Manifest): string[] {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional)
  return [...Object.keys(dependencies), ...peers]
}

/** Where a package that `from` needs lies: beside it or further up, as modules are looked for. */
function folderOf(name: string, from: string): string {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  if (from === ROOT) throw new Error(`${name} is not installed: run \`bun install\``)
  return folderOf(name, dirname(from))
}

/** What a package has about its licence; what its own bundle is made of (`….js.LICENSE.txt`) belongs to that. */
function textsIn(folder: string): string {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)|\.licen[cs]e\.txt$/i.test(name))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return [...new Set(texts)].join('\n\n')
}

/** Bun's own account of what it is made of comes with its types. */
function bunLicence(): string {
  const text = readFileSync(join(ROOT, 'node_modules/bun-types/docs/project/license.mdx'), 'utf8')
  return text.replace(/^---.*?---\s*/s, '').trim()
}
