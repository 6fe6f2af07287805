import { createSocket } from 'node:dgram'
import { lookup } from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { codeOf, PATIENCE } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'

/** Every connection and every webhook in flight takes a descriptor: what the unit of the guide asks for, and the least. */
const ENOUGH_FILES = 65_536
const FEW_FILES = 4_096
/** From where on a wrong clock does harm: codes of authenticator apps hold for 30 seconds. In milliseconds. */
const OFF = 5_000
const FAR_OFF = 30_000
/** Between 1900, where time servers begin to count, and 1970, in seconds. */
const ERA = 2_208_988_800

/** How many descriptors this process may have open; null where that is not limited or not known. */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === undefined ? null : Number(soft)
  } catch {
    // Not Linux.
    return null
  }
}

/** What is to be said of that limit, of the service or, where it does not run, of this command. */
export function checkOpenFiles(limit: number | null): Diagnosis[] {
  const { good, warn, bad } = diagnosing('descriptors')
  if (limit === null) return []
  const remedy = `put LimitNOFILE=${ENOUGH_FILES} into the unit, or \`ulimit -n ${ENOUGH_FILES}\` before the start`
  if (limit < FEW_FILES) return [bad(`at most ${limit} may be open: connections will be refused`, remedy)]
  if (limit < ENOUGH_FILES) return [warn(`at most ${limit} may be open`, remedy)]
  return [good(`${limit} may be open`)]
}

/** Whether this machine's clock is right, by a time server (RFC 4330), `host` or `host:port`. */
export async function checkClock(server: string, now: () => number): Promise<Diagnosis> {
  const { good, warn, bad } = diagnosing('clock')
  const remedy = 'let the system keep it: `timedatectl set-ntp true`'
  try {
    const off = await offsetBy(server, now)
    const seconds = `${(Math.abs(off) / 1000).toFixed(1)} seconds ${off > 0 ? 'slow' : 'fast'}`
    if (Math.abs(off) >= FAR_OFF) return bad(`it is ${seconds}: codes of authenticator apps are refused`, remedy)
    if (Math.abs(off) >= OFF) return warn(`it is ${seconds}`, remedy)
    return good(`right, by ${server}`)
  } catch (error) {
    return warn(`it could not be compared: ${server}: ${codeOf(error)}`, 'name a server with --time-server')
  }
}

/** By how many milliseconds this clock has to be put forward. */
async function offsetBy(server: string, now: () => number): Promise<number> {
  const [, host = server, port = '123'] = /^(.*?)(?::(\d+))?$/.exec(server) ?? []
  const { address, family } = await lookup(host)
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4')
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE)
  try {
    socket.on('error', reject)
    const sent = now()
    socket.on('message', (answer) => {
      // A server's answer (mode 4) that is in step with something (stratum 1 to 15).
      if (answer.length < 48 || ((answer[0] as number) & 7) !== 4) return
      const stratum = answer[1] as number
      if (stratum < 1 || stratum > 15) return reject(new Error('it does not know the time itself'))
      const theirs = (timeAt(answer, 32) + timeAt(answer, 40)) / 2
      resolve(theirs - (sent + now()) / 2)
    })
    const question = Buffer.alloc(48)
    question[0] = (4 << 3) | 3
    // Connected, it is told at once where nobody listens.
    socket.connect(Number(port), address, () => socket.send(question))
    return await promise
  } finally {
    clearTimeout(timer)
    socket.close()
  }
}

/** A time of 64 bits, in milliseconds since 1970. */
function timeAt(packet: Buffer, at: number): number {
  return (packet.readUInt32BE(at) - ERA) * 1000 + (packet.readUInt32BE(at + 4) / 2 ** 32) * 1000
}
