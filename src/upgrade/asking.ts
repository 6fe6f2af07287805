import { resolve } from 'node:path'
import { UserError } from '../errors.ts'
import type { Description } from './description.ts'

/** How long it may take to say what it is, in milliseconds. */
const PATIENCE = 60_000

/**
 * Runs another executable, to have it say what it is; null where it does not know how to: one of before, or no frontdesk.
 * Throws UserError where it cannot be run.
 */
export async function askExecutable(
  file: string,
  environment: NodeJS.ProcessEnv,
  dataDir: string,
): Promise<Description | null> {
  const path = resolve(file)
  try {
    const asked = Bun.spawn([path, 'upgrade', '--describe', '--data', dataDir], {
      // With these it would be Bun, and say nothing of frontdesk.
      env: { ...environment, BUN_BE_BUN: undefined, BUN_OPTIONS: undefined },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'ignore',
      timeout: PATIENCE,
    })
    const [text, code] = await Promise.all([new Response(asked.stdout).text(), asked.exited])
    return code === 0 ? parse(text) : null
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    const hint = code === 'EACCES' ? ': chmod +x' : code === 'ENOEXEC' ? ': it is for another kind of machine' : ''
    throw new UserError(`${file}: cannot be run (${code ?? message})${hint}`)
  }
}

function parse(text: string): Description | null {
  try {
    const read = JSON.parse(text)
    return Array.isArray(read?.steps?.sqlite) && Array.isArray(read.steps.postgres) ? read : null
  } catch {
    return null
  }
}
