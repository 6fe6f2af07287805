import { dirname, join, relative } from 'node:path'
import ts from 'typescript-5'

const SRC = join(import.meta.dir, '../../../src')

interface Loaded {
  /** Of `src`: `app.ts`. */
  readonly files: readonly string[]
  readonly libraries: readonly string[]
}

/** What is loaded with `start` (`main.ts`) at once, as it is imported: types and what is imported later cost nothing then. */
export async function loadedWith(start: string): Promise<Loaded> {
  const libraries = new Set<string>()
  const files = new Set([start])
  for (const file of files) {
    for (const name of importsOf(await Bun.file(join(SRC, file)).text())) {
      const target = relative(SRC, join(SRC, dirname(file), name))
      if (!name.startsWith('.')) libraries.add(name)
      else if (target.endsWith('.ts')) files.add(target)
    }
  }
  return { files: [...files].sort(), libraries: [...libraries].filter((name) => !/^(?:node|bun):/.test(name)).sort() }
}

/** What the imports and exports of a file's top level name, without those of types and those that run while it is built. */
function importsOf(source: string): string[] {
  const { statements } = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest)
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return []
    const { moduleSpecifier, attributes } = statement
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier) || attributes || isOfTypes(statement)) return []
    return [moduleSpecifier.text]
  })
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly
  const { importClause } = statement
  if (!importClause || importClause.isTypeOnly) return importClause !== undefined
  const { name, namedBindings } = importClause
  return (
    !name &&
    !!namedBindings &&
    ts.isNamedImports(namedBindings) &&
    namedBindings.elements.every((one) => one.isTypeOnly)
  )
}
