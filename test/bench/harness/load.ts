import type { Socket } from 'bun'

/** What a load generator is told, as JSON on its standard input. */
export interface LoadPlan {
  port: number
  /** Of more servers, over which the connections are spread too. */
  others?: number[]
  connections: number
  seconds: number
  /** Request lines and headers; `{n}` becomes a number that no other request has. */
  requests: { method: string; path: string; headers: Record<string, string>; body: string | null }[]
}

/** What it prints. Times are milliseconds. */
export interface LoadResult {
  perSecond: number
  p50: number
  p99: number
  /** Answers that were not 2xx, by status. */
  failures: Record<string, number>
}

interface Connection {
  received: Buffer
  sentAt: number
}

/** Raw sockets that each keep one request in flight: a client library would be slower than what it measures. */
async function generate(plan: LoadPlan): Promise<LoadResult> {
  const times: number[] = []
  const failures: Record<string, number> = {}
  const unique = `${process.pid}${Date.now()}`
  const end = performance.now() + plan.seconds * 1000
  let sent = 0
  let open = plan.connections
  const finished = Promise.withResolvers<void>()

  const send = (socket: Socket<Connection>) => {
    if (performance.now() >= end) {
      socket.end()
      if (--open === 0) finished.resolve()
      return
    }
    socket.data.sentAt = performance.now()
    socket.write(requestText(plan, sent++, unique))
  }
  const ports = [plan.port, ...(plan.others ?? [])]
  for (let i = 0; i < plan.connections; i++) {
    await Bun.connect<Connection>({
      hostname: '127.0.0.1',
      port: ports[i % ports.length] as number,
      data: undefined as never,
      socket: {
        open(socket) {
          socket.data = { received: Buffer.alloc(0), sentAt: 0 }
          send(socket)
        },
        data(socket, chunk) {
          const { data } = socket
          data.received = data.received.length === 0 ? chunk : Buffer.concat([data.received, chunk])
          const status = completeStatus(data.received)
          if (status === null) return
          data.received = Buffer.alloc(0)
          times.push(performance.now() - data.sentAt)
          if (status < 200 || status > 299) failures[status] = (failures[status] ?? 0) + 1
          send(socket)
        },
      },
    })
  }
  await finished.promise
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / plan.seconds,
    p50: times[Math.floor(times.length * 0.5)] ?? 0,
    p99: times[Math.floor(times.length * 0.99)] ?? 0,
    failures,
  }
}

function requestText(plan: LoadPlan, number: number, unique: string): string {
  const request = plan.requests[number % plan.requests.length] as LoadPlan['requests'][number]
  const body = request.body?.replaceAll('{n}', `${unique}-${number}`) ?? null
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === null ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${request.method} ${request.path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${headers.join('')}${length}\r\n${body ?? ''}`
}

/** The status of an answer that has arrived whole, or null. */
function completeStatus(received: Buffer): number | null {
  const headerEnd = received.indexOf('\r\n\r\n')
  if (headerEnd < 0) return null
  const head = received.toString('latin1', 0, headerEnd)
  const length = Number(/content-length: *(\d+)/i.exec(head)?.[1] ?? 0)
  return received.length >= headerEnd + 4 + length ? Number(head.slice(9, 12)) : null
}

if (import.meta.main) {
  const result = await generate(await Bun.stdin.json())
  await Bun.write(Bun.stdout, JSON.stringify(result))
}
