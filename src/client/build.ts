import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openApiDocument } from '../app.ts'
import { loadConfig } from '../config.ts'
import { VERSION } from '../version.ts'
import { generate } from './generate.ts'

/*
 * `bun run client [--into FOLDER]`: the client as an npm package. Nothing of it that follows from the document is kept:
 * it is made anew each time.
 */

const ROOT = join(import.meta.dir, '../..')

const { values } = parseArgs({ options: { into: { type: 'string' } } })

const manifest = {
  name: 'frontdesk-client',
  version: VERSION,
  description: 'Client of frontdesk: forms, contacts and a support inbox behind one REST API',
  license: 'MIT',
  type: 'module',
  sideEffects: false,
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  types: './index.d.ts',
  engines: { node: '>=20' },
}

await buildClient(values.into ?? join(ROOT, 'dist/client'))

async function buildClient(folder: string): Promise<void> {
  // Within the repository, where the compiler finds what it needs.
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  const sources = mkdtempSync(join(ROOT, 'dist/client-sources-'))
  try {
    cpSync(join(import.meta.dir, 'runtime'), join(sources, 'runtime'), { recursive: true })
    const generated = await generate(openApiDocument(loadConfig({})))
    for (const [name, text] of Object.entries(generated)) writeFileSync(join(sources, name), text)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await writeScript(sources, folder)
    await writeTypes(sources, folder)
    cpSync(join(import.meta.dir, 'README.md'), join(folder, 'README.md'))
    cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'))
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  } finally {
    rmSync(sources, { recursive: true, force: true })
  }
}

async function writeScript(sources: string, folder: string): Promise<void> {
  const entry = join(sources, 'index.ts')
  const { success, logs, outputs } = await Bun.build({ entrypoints: [entry], target: 'browser', format: 'esm' })
  const [script] = outputs
  if (!success || !script) throw new Error(logs.join('\n'))
  // Where each part stood for the moment.
  writeFileSync(join(folder, 'index.js'), (await script.text()).replace(/^\/\/ dist\/.*\n/gm, ''))
}

/** As strict as can be, so that it compiles for whoever uses it. */
async function writeTypes(sources: string, folder: string): Promise<void> {
  const options = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    target: 'ES2022',
    module: 'Preserve',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: '.',
    outDir: folder,
  }
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }))
  const tsc = Bun.spawn([process.execPath, join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', sources], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await new Response(tsc.stdout).text()
  if ((await tsc.exited) !== 0) throw new Error(said)
  // Declarations name each other as the sources do, by endings that only compilers of sources take.
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const text = readFileSync(join(folder, name), 'utf8')
    writeFileSync(join(folder, name), text.replace(/(from '\.[^']*)\.ts'/g, "$1.js'"))
  }
}
