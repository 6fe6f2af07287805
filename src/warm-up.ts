import type { App } from './app.ts'
import { listContacts } from './contacts/read.ts'
import type { Deps } from './deps.ts'

/**
 * Goes the way of a request once, before there are any: whoever asks first after a start would else wait for schemas to
 * be compiled, statements to be prepared and code to be read that all routes share. Reads, and writes nothing. One route
 * is enough for that; each takes memory.
 */
export async function warmUp(app: App, { config, database }: Deps): Promise<void> {
  // Elysia has a slash behind a room's own path.
  app.routes.find(({ method, path }) => method === 'GET' && path === '/v1/contacts/')?.compile()
  // A key that nobody has is looked up as any is.
  await app.handle(new Request(new URL('/v1/contacts', config.baseUrl), { headers: { 'x-api-key': 'none' } }))
  await listContacts(database.db, '', { cursor: undefined, limit: 25 }, {})
}
