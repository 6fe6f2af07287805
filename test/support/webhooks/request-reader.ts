/** The parts of a request that its bytes tell. */
export interface ReadRequest {
  method: string
  path: string
  headers: Record<string, string>
  body: Uint8Array
}

/** Cuts the bytes of one connection into requests. Bodies must announce their `Content-Length`. */
export class RequestReader {
  private pending = Buffer.alloc(0)

  constructor(private readonly onRequest: (request: ReadRequest) => void) {}

  push(chunk: Uint8Array): void {
    this.pending = Buffer.concat([this.pending, chunk])
    const end = this.pending.indexOf('\r\n\r\n')
    if (end < 0) return
    const [start = '', ...lines] = this.pending.toString('latin1', 0, end).split('\r\n')
    const headers = Object.fromEntries(lines.map(readHeader))
    const bodyStart = end + 4
    const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0)
    if (this.pending.length < bodyEnd) return
    const [method = '', path = ''] = start.split(' ')
    const body = new Uint8Array(this.pending.subarray(bodyStart, bodyEnd))
    this.pending = this.pending.subarray(bodyEnd)
    this.onRequest({ method, path, headers, body })
  }
}

function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}
