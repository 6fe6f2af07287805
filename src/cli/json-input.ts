import { isatty } from 'node:tty'
import { UserError } from '../errors.ts'

/** The largest file that is read, in bytes. */
const MOST = 1024 * 1024

/** What a file holds as JSON; without a name, or with `-`, what is piped in. Throws UserError. */
export async function readJsonInput(file: string | undefined): Promise<unknown> {
  const name = file === undefined || file === '-' ? null : file
  if (name === null && isatty(0)) throw new UserError('name a file, or pipe the JSON in')
  const text = await textOf(name)
  if (text.length > MOST) throw new UserError(`${name ?? 'standard input'}: is larger than 1 MiB`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${name ?? 'standard input'}: is not JSON: ${(error as Error).message}`)
  }
}

async function textOf(name: string | null): Promise<string> {
  if (name === null) return Bun.stdin.text()
  try {
    return await Bun.file(name).text()
  } catch (error) {
    throw new UserError(`${name}: cannot be read: ${(error as Error).message}`)
  }
}
