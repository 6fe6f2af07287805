import { emptyFolder, type Program, type Running, record } from '../processes/program.ts'

/** A tenant with one email inbox and a key, in a folder that the program can be started on. */
export interface Desk {
  program: Program
  cwd: string
  tenantId: string
  key: string
  inboxId: string
  address: string
}

export async function newDesk(program: Program, address = 'help@acme.test'): Promise<Desk> {
  const cwd = emptyFolder()
  const make = (...args: string[]) => record(program, args, { cwd })
  const { tenantId } = await make('tenant', 'create', '--name', 'Acme')
  const scopes = 'tickets:read,tickets:write'
  const { key } = await make('key', 'create', '--name', 'k', '--scopes', scopes)
  const inbox = await make('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', address)
  return { program, cwd, tenantId, key, inboxId: inbox.id, address }
}

/** Where a running service takes mail. */
export function mailPortOf({ output }: Running): number {
  return Number(/^frontdesk takes mail on smtp:\/\/127\.0\.0\.1:(\d+)$/m.exec(output.stdout)?.[1])
}

/** A request to the API with the desk's key. Throws unless it is answered 2xx. */
// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
export async function ask({ url }: Running, { key }: Desk, path: string, body?: object): Promise<any> {
  const response = await fetch(url + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as { message?: string }
  if (!response.ok) throw new Error(answer.message)
  return answer
}
