import { expect, test } from 'bun:test'
import { copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { clientPackage } from '../support/api/client.ts'
import { emptyFolder } from '../support/processes/program.ts'

const MODULES = resolve(import.meta.dir, '../../node_modules')
const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  // The declarations of the package are looked at like our own.
  skipLibCheck: false,
  noEmit: true,
  target: 'ES2022',
}
const node = { module: 'nodenext', lib: ['ES2023'], types: ['node'] }
const dom = ['ES2022', 'DOM', 'DOM.Iterable']
const browser = { module: 'Preserve', moduleResolution: 'bundler', lib: dom, types: [] }

test.each([
  ['TypeScript 7', 'Node', 'typescript', node],
  ['TypeScript 7', 'browsers', 'typescript', browser],
  ['TypeScript 5', 'Node', 'typescript-5', node],
] as const)(
  '%s compiles programs that use the client for %s under the strictest options, and no wrong ones',
  async (_, __, compiler, setting) => {
    const folder = emptyFolder()
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    cpSync(await clientPackage(), join(folder, 'node_modules/frontdesk-client'), { recursive: true })
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(join(MODULES, name), join(folder, 'node_modules', name))
    }
    copyFileSync(join(import.meta.dir, 'consumer.ts'), join(folder, 'consumer.ts'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    const compilerOptions = { ...strictest, ...setting }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['consumer.ts'] }))
    const command = [process.execPath, join(MODULES, compiler, 'bin/tsc'), '-p', folder]
    const { stdout, exitCode } = Bun.spawnSync(command)
    expect([stdout.toString(), exitCode]).toEqual(['', 0])
  },
)
