import { createSocket } from 'node:dgram'
import { type Socket as Connection, createServer } from 'node:net'

/** Where a text is cut into pieces, besides where it has to be. */
export const CUT = '|'

/** What a name server says of a name: addresses, mail servers in the order of preference, texts. */
export interface Records {
  A?: readonly string[]
  MX?: readonly string[]
  TXT?: readonly string[]
}

const TYPES = { A: 1, MX: 15, TXT: 16 } as const
const NXDOMAIN = 3

/** The most that goes by UDP, in bytes. */
const DATAGRAM = 1232

/**
 * A real name server (RFC 1035) on a free port of this machine, for these names alone. What is too long for UDP comes by
 * TCP; `datagrams` makes of each answer what is sent by UDP instead. Close it when done.
 */
export async function startNameServer(
  zone: Readonly<Record<string, Records>>,
  datagrams: (answer: Buffer) => readonly Buffer[] = (answer) => [answer],
) {
  const answerByStream = (socket: Connection) => {
    socket.on('error', () => {})
    let came = Buffer.alloc(0)
    socket.on('data', (piece: Buffer) => {
      came = Buffer.concat([came, piece])
      if (came.length < 2 || came.length < 2 + came.readUInt16BE(0)) return
      const answer = answerTo(came.subarray(2), zone)
      const length = Buffer.alloc(2)
      length.writeUInt16BE(answer.length)
      socket.end(Buffer.concat([length, answer]))
    })
  }
  const { port, socket, streams } = await onOnePort(answerByStream)
  socket.on('message', (question, { port, address }) => {
    const answer = answerTo(question, zone)
    const sent = answer.length > DATAGRAM ? [cut(answer)] : datagrams(answer)
    for (const datagram of sent) socket.send(datagram, port, address)
  })
  return {
    address: `127.0.0.1:${port}`,
    close() {
      socket.close()
      streams.close()
    },
  }
}

/** The next that is free for both. */
async function onOnePort(take: (socket: Connection) => void) {
  for (;;) {
    const streams = createServer(take)
    await new Promise<void>((resolve) => streams.listen(0, '127.0.0.1', resolve))
    const { port } = streams.address() as { port: number }
    const socket = createSocket('udp4')
    const isBound = await new Promise<boolean>((resolve) => {
      socket.on('error', () => resolve(false))
      socket.bind(port, '127.0.0.1', () => resolve(true))
    })
    if (isBound) return { port, socket, streams }
    streams.close()
  }
}

/** Says that there is more, and nothing of it. */
function cut(answer: Buffer): Buffer {
  const copy = Buffer.from(answer)
  copy.writeUInt16BE(copy.readUInt16BE(2) | 0x0200, 2)
  copy.writeUInt16BE(0, 6)
  return copy.subarray(0, DATAGRAM)
}

function answerTo(question: Buffer, zone: Readonly<Record<string, Records>>): Buffer {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] as number; length > 0; length = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const end = at + 5
  const records = zone[labels.join('.').toLowerCase()]
  const asked = question.readUInt16BE(at + 1)
  const type = (Object.keys(TYPES) as (keyof typeof TYPES)[]).find((name) => TYPES[name] === asked)
  const found = (type && records?.[type])?.map((value, index) => encoded(type, value, index)) ?? []
  const head = Buffer.from(question.subarray(0, 12))
  head.writeUInt16BE(0x8580 | (records ? 0 : NXDOMAIN), 2)
  for (const [count, place] of [
    [1, 4],
    [found.length, 6],
    [0, 8],
    [0, 10],
  ] as const)
    head.writeUInt16BE(count, place)
  const answers = found.map((data) => {
    // The name is the question's, and holds for a minute.
    const record = Buffer.from([0xc0, 12, 0, asked, 0, 1, 0, 0, 0, 60, 0, 0])
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([head, question.subarray(12, end), ...answers])
}

function encoded(type: keyof typeof TYPES, value: string, index: number): Buffer {
  if (type === 'A') return Buffer.from(value.split('.').map(Number))
  if (type === 'MX') return Buffer.concat([Buffer.from([0, 10 * (index + 1)]), nameIn(value)])
  const pieces = value.split(CUT).flatMap((text) => text.match(/.{1,255}/gs) ?? [''])
  return Buffer.concat(
    pieces.map((piece) => Buffer.concat([Buffer.from([piece.length]), Buffer.from(piece, 'latin1')])),
  )
}

function nameIn(name: string): Buffer {
  const labels = name.split('.').filter(Boolean)
  return Buffer.concat([...labels.map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
}
