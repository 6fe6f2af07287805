/**
 * A webhook receiver in a process of its own. `/hook` answers at once, `/dead` never. `/stats` tells how many events came
 * and how late each delivery was (past the first event, in milliseconds), `/bodies` gives back what came.
 */
const MARK = Buffer.from('"eventId"')
let events = 0
let bodies: Buffer[] = []
let delays: number[] = []
let first = 0

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  async fetch(request) {
    const path = new URL(request.url).pathname
    if (path === '/dead') return new Promise<Response>(() => {})
    if (path === '/stats') return Response.json({ events, deliveries: bodies.length, delays, first })
    if (path === '/bodies') return Response.json(bodies.map(String))
    if (path === '/reset') {
      events = 0
      bodies = []
      delays = []
      first = 0
      return new Response()
    }
    const body = Buffer.from(await request.arrayBuffer())
    first ||= Date.now()
    events += countOf(body)
    bodies.push(body)
    delays.push(Date.now() - Date.parse(firstTimestamp(body)))
    return new Response()
  },
})
process.stdout.write(`${server.port}\n`)

function countOf(body: Buffer): number {
  let count = 0
  for (let at = body.indexOf(MARK); at >= 0; at = body.indexOf(MARK, at + MARK.length)) count++
  return count
}

/** The envelope's own timestamp comes first. */
function firstTimestamp(body: Buffer): string {
  const events = body.indexOf('"events"')
  const at = body.indexOf('"timestamp":"', events) + 13
  return body.subarray(at, at + 24).toString()
}
