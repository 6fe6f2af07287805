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

/** What a file holds; without a name, or with `-`, what is piped in. `what` it is to be, in messages. Throws UserError. */
export async function readBytesInput(file: string | undefined, what: string): Promise<Uint8Array> {
  const name = file === undefined || file === '-' ? null : file
  if (name === null && isatty(0)) throw new UserError(`name a file, or pipe ${what} in`)
  try {
    return new Uint8Array(await (name === null ? Bun.stdin : Bun.file(name)).arrayBuffer())
  } catch (error) {
    throw new UserError(`${name}: cannot be read: ${(error as Error).message}`)
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
