import { dirname, join } from 'node:path'
import ts from 'typescript-5'

/** Codes that pages of the console say in their own words: see `refusalOf` there. */
const CODES = ['invalid_request', 'too_large', 'conflict', 'unprocessable', 'unprocessable_entity', 'delivery_failed']

/** A refusal as the source has it, with `‹expression›` for what is put in, and where it stands. */
export interface Refused {
  readonly text: string
  readonly files: readonly string[]
}

/**
 * Every text that the modules which these files import can refuse something with, as `invalid(place, text)` or `new
 * AppError(code, text)`. What is no literal there is not found: who computes a text names it where it is made.
 */
export async function refusalsIn(files: readonly string[]): Promise<Refused[]> {
  const found = new Map<string, Set<string>>()
  const seen = new Set<string>()
  const queue = [...files]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const source = ts.createSourceFile(path, await Bun.file(path).text(), ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node): void => {
      const imported = importedBy(node)
      if (imported) queue.push(join(dirname(path as string), imported))
      for (const text of textsOf(node)) found.set(text, (found.get(text) ?? new Set()).add(path as string))
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return [...found].map(([text, where]) => ({ text, files: [...where] })).sort((a, b) => (a.text < b.text ? -1 : 1))
}

function importedBy(node: ts.Node): string | null {
  const isImport = ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly
  const isExport = ts.isExportDeclaration(node) && !node.isTypeOnly
  if (!isImport && !isExport) return null
  const { moduleSpecifier } = node
  const name = moduleSpecifier && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ''
  return name.startsWith('.') && name.endsWith('.ts') ? name : null
}

function textsOf(node: ts.Node): string[] {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return []
  const [first, second] = node.arguments ?? []
  if (!first || !second) return []
  const name = node.expression.getText()
  const isRefusal =
    name === 'invalid' || (name === 'AppError' && ts.isStringLiteral(first) && CODES.includes(first.text))
  return isRefusal ? literalsIn(second) : []
}

function literalsIn(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node)) return literalsIn(node.expression)
  if (ts.isConditionalExpression(node)) return [...literalsIn(node.whenTrue), ...literalsIn(node.whenFalse)]
  if (!ts.isTemplateExpression(node)) return []
  const rest = node.templateSpans.map(({ expression, literal }) => `‹${expression.getText()}›${literal.text}`)
  return [node.head.text + rest.join('')]
}
