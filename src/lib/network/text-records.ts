import { createSocket } from 'node:dgram'
import { connect, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/*
 * TXT records, asked for by ourselves: Bun 1.4.5 gives the pieces of one record as records of their own, so that no
 * DKIM key of 2048 bits, which never fits into one piece, could be read.
 */

/** How long a server may take, in milliseconds; each is asked once more after that. */
const PATIENCE = 2_500
const ROUNDS = 2
const TXT = 16
const OPT = 41
/** What we take by UDP (RFC 6891); what is longer comes by TCP. In bytes. */
const LARGEST = 1232
const HEADER = 12

const FAILURES: Readonly<Record<number, string>> = { 1: 'EFORMERR', 3: 'ENOTFOUND', 4: 'ENOTIMP', 5: 'EREFUSED' }

/**
 * The TXT records of a name, each in its pieces, by the first of `servers` (addresses, with a port or without) that
 * answers. Rejects with a `code` as Node's resolver has it: ENOTFOUND, ENODATA, ESERVFAIL, ETIMEOUT.
 */
export async function resolveTexts(name: string, servers: readonly string[]): Promise<string[][]> {
  let failure: Error = fault('ETIMEOUT', name)
  for (let round = 0; round < ROUNDS; round++) {
    for (const server of servers) {
      try {
        return textsIn(await askServer(server, questionFor(name)), name)
      } catch (error) {
        // That there is nothing is an answer; another server may know more than one that failed.
        if (['ENOTFOUND', 'ENODATA', 'EBADNAME'].includes((error as { code?: string }).code ?? '')) throw error
        failure = error as Error
      }
    }
  }
  throw failure
}

function fault(code: string, name: string): Error {
  return Object.assign(new Error(`queryTxt ${code} ${name}`), { code, syscall: 'queryTxt', hostname: name })
}

function questionFor(name: string): Buffer {
  const labels = (domainToASCII(name) || name).split('.').filter((label) => label !== '')
  const bytes = labels.map((label) => Buffer.from(label, 'latin1'))
  const length = bytes.reduce((sum, label) => sum + label.length + 1, 1)
  if (length > 255 || bytes.some((label) => label.length > 63)) throw fault('EBADNAME', name)
  const head = Buffer.alloc(HEADER)
  crypto.getRandomValues(head.subarray(0, 2))
  // Recursion is wanted; one question, one additional record.
  head[2] = 1
  head[5] = 1
  head[11] = 1
  const encoded = bytes.flatMap((label) => [Buffer.from([label.length]), label])
  const size = [LARGEST >> 8, LARGEST & 255]
  return Buffer.concat([head, ...encoded, Buffer.from([0, 0, TXT, 0, 1, 0, 0, OPT, ...size, 0, 0, 0, 0, 0, 0])])
}

async function askServer(server: string, question: Buffer): Promise<Buffer> {
  const [, bracketed, plain, port = '53'] =
    /^(?:\[([^\]]+)\]|([^:]+|[^:]*(?::[^:]*){2,}))(?::(\d+))?$/.exec(server) ?? []
  const place = { host: bracketed ?? plain ?? server, port: Number(port) }
  const answer = await byDatagram(place, question)
  const isCut = ((answer[2] as number) & 2) !== 0
  return isCut ? byStream(place, question) : answer
}

interface Place {
  readonly host: string
  readonly port: number
}

function byDatagram({ host, port }: Place, question: Buffer): Promise<Buffer> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  return inTime(
    (resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (answer) => {
        if (isAnswerTo(question, answer)) resolve(answer)
      })
      // Connected, it hears that server alone.
      socket.connect(port, host, () => socket.send(question))
    },
    () => socket.close(),
  )
}

function byStream({ host, port }: Place, question: Buffer): Promise<Buffer> {
  const socket = connect(port, host)
  return inTime(
    (resolve, reject) => {
      let came = Buffer.alloc(0)
      socket.on('error', reject)
      socket.on('close', () => reject(fault('ESERVFAIL', '')))
      socket.on('connect', () =>
        socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 255]), question])),
      )
      socket.on('data', (piece: Buffer) => {
        came = Buffer.concat([came, piece])
        if (came.length < 2 || came.length < 2 + came.readUInt16BE(0)) return
        const answer = came.subarray(2, 2 + came.readUInt16BE(0))
        if (isAnswerTo(question, answer)) resolve(answer)
        else reject(fault('EBADRESP', ''))
      })
    },
    () => socket.destroy(),
  )
}

function inTime(
  work: (resolve: (answer: Buffer) => void, reject: (error: Error) => void) => void,
  end: () => void,
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const timer = setTimeout(() => reject(fault('ETIMEOUT', '')), PATIENCE)
  work(resolve, reject)
  return promise.finally(() => {
    clearTimeout(timer)
    end()
  })
}

/** By its number and the question that it repeats, capitals or not. */
function isAnswerTo(question: Buffer, answer: Buffer): boolean {
  const asked = (message: Buffer) =>
    message
      .subarray(HEADER, question.length - 11)
      .toString('latin1')
      .toLowerCase()
  return (
    answer.length >= question.length - 11 &&
    answer.readUInt16BE(0) === question.readUInt16BE(0) &&
    ((answer[2] as number) & 0x80) !== 0 &&
    asked(answer) === asked(question)
  )
}

function textsIn(answer: Buffer, name: string): string[][] {
  const code = (answer[3] as number) & 15
  if (code !== 0) throw fault(FAILURES[code] ?? 'ESERVFAIL', name)
  try {
    const texts = recordsIn(answer)
    if (texts.length === 0) throw fault('ENODATA', name)
    return texts
  } catch (error) {
    throw error instanceof RangeError ? fault('EBADRESP', name) : error
  }
}

/** Those of the answer section: a name that is another's name comes with what that one has. Throws RangeError. */
function recordsIn(answer: Buffer): string[][] {
  let at = afterName(answer, HEADER) + 4
  const texts: string[][] = []
  for (let left = answer.readUInt16BE(6); left > 0; left--) {
    at = afterName(answer, at)
    const [type, length] = [answer.readUInt16BE(at), answer.readUInt16BE(at + 8)]
    at += 10
    if (at + length > answer.length) throw new RangeError()
    if (type === TXT) texts.push(piecesIn(answer.subarray(at, at + length)))
    at += length
  }
  return texts
}

function piecesIn(data: Buffer): string[] {
  const pieces: string[] = []
  for (let at = 0; at < data.length; at += 1 + (data[at] as number)) {
    pieces.push(data.toString('utf8', at + 1, at + 1 + (data[at] as number)))
  }
  return pieces
}

/** Behind a name, which may end in a pointer to another place. */
function afterName(message: Buffer, start: number): number {
  let at = start
  for (;;) {
    const length = message.readUInt8(at)
    if (length === 0) return at + 1
    if (length >= 0xc0) return at + 2
    at += 1 + length
  }
}
