import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'

/** How something in front of a service passes requests on to it. */
export interface Front {
  /** What becomes of `X-Forwarded-For`: as a good proxy does it, as it came, or nothing of it. */
  forwards?: 'appended' | 'unchanged' | 'never'
  /** Whether it leaves out what asks for a WebSocket. */
  withoutSockets?: boolean
  /** The largest body that it takes, in bytes. */
  most?: number
  /** Answers everything with this status by itself. */
  answers?: number
  /** PEM: it speaks TLS. */
  tls?: { cert: string; key: string }
}

/** A reverse proxy on a free port of this machine, in front of what `target` says by then. Close it when done. */
export async function startFront(target: () => string, front: Front = {}) {
  const { forwards = 'appended', withoutSockets = false, most = Number.POSITIVE_INFINITY, answers } = front
  const take: Parameters<typeof createServer>[1] = (incoming, outgoing) => {
    const tooMuch = Number(incoming.headers['content-length'] ?? 0) > most
    if (answers !== undefined || tooMuch) {
      incoming.resume()
      incoming.on('end', () => outgoing.writeHead(answers ?? 413, { connection: 'close' }).end('<h1>nginx</h1>'))
      return
    }
    const headers: IncomingHttpHeaders = { ...incoming.headers }
    const came = headers['x-forwarded-for']
    if (forwards === 'appended') headers['x-forwarded-for'] = came ? `${came}, 127.0.0.1` : '127.0.0.1'
    if (forwards === 'never') delete headers['x-forwarded-for']
    if (withoutSockets) {
      delete headers.upgrade
      headers.connection = 'close'
    }
    const passed = request(`${target()}${incoming.url}`, { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(passed)
  }
  const server = front.tls ? createSecureServer(front.tls, take) : createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    port,
    url: `${front.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
