/** What reads the sources without running their tests: scripts of `package.json`. */
const LINTERS = ['lint:style', 'lint:types', 'lint:openapi']

/**
 * Runs the linters beside one another, and resolves with what those that are not content have found; '' when all are. Types are
 * checked on one thread: several would go over most of them again, each for itself.
 */
export async function lint(): Promise<string> {
  return (await Promise.all(LINTERS.map(runLinter))).join('')
}

async function runLinter(script: string): Promise<string> {
  const linter = Bun.spawn([process.execPath, 'run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = [linter.stdout, linter.stderr].map((stream) => new Response(stream).text())
  const [code, ...texts] = await Promise.all([linter.exited, ...output])
  return code === 0 ? '' : `${script}:\n${texts.join('')}\n`
}
