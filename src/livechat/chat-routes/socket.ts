import type { Deps } from '../../deps.ts'
import { AppError, invalid, rule } from '../../errors.ts'
import { clientOf, upgrade } from '../../http/context.ts'
import { Places } from '../places.ts'
import { ChatSockets } from '../sockets.ts'
import type { ChatSource } from '../source.ts'

/** Seconds after which an address with too many sockets may look for a place again. */
const RETRY_AFTER = 10

/** Makes sockets of requests; one for an app, which counts those of each address. */
export function socketOpener(deps: Deps) {
  const places = new Places()
  const sockets = new ChatSockets(deps)
  return (request: Request, source: ChatSource): Response => {
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw invalid('', rule('web_sockets'))
    const client = clientOf(request)
    if (!places.take(client)) throw new AppError('too_soon', 'too many sockets are open', { retryAfter: RETRY_AFTER })
    const socket = sockets.open(source, client, () => places.free(client))
    // Without a connection to make a socket of, nobody will close it.
    if (!upgrade(request, socket)) socket.closed()
    return new Response(null, { status: 101 })
  }
}
