import { writeFile } from 'node:fs/promises'
import { UserError } from '../errors.ts'

/** Writes a text to a file; without a name, or with `-`, to standard output. Throws UserError. */
export async function writeOutput(file: string | undefined, text: string): Promise<void> {
  if (file === undefined || file === '-') {
    process.stdout.write(text)
    return
  }
  try {
    await writeFile(file, text)
  } catch (error) {
    throw new UserError(`${file}: cannot be written: ${(error as Error).message}`)
  }
}
