/** What reads the sources without running their tests: scripts of `package.json`. */
const LINTERS = ['lint:style', 'lint:types', 'lint:openapi']

/**
 * Runs the linters beside one another, and says what each that is not content has found. Resolves with whether all are
 * content. Types are checked on one thread: several would go over most of them again, each for itself, and the others
 * keep the second processor busy meanwhile.
 */
export async function lint(): Promise<boolean> {
  const found = await Promise.all(LINTERS.map(runLinter))
  return found.every((isContent) => isContent)
}

async function runLinter(script: string): Promise<boolean> {
  const linter = Bun.spawn([process.execPath, 'run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = [linter.stdout, linter.stderr].map((stream) => new Response(stream).text())
  const [code, ...texts] = await Promise.all([linter.exited, ...output])
  if (code !== 0) console.error(`${script}:\n${texts.join('')}`)
  return code === 0
}
