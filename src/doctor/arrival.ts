import type { Config } from '../config.ts'
import type { Secrets } from '../secrets/seal.ts'
import { VERSION } from '../version.ts'
import { type Answer, ask, codeOf } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'
import { type Arrival, PROBE_HEADER, PROBE_PATH, probeOf, settingsOf } from './probe.ts'

/** An address for documentation (RFC 5737), which the command says it came from: nobody may believe it. */
const FORGED = '198.51.100.7'
/** nginx takes 1 MiB unless told otherwise, and files are larger. In bytes. */
const LARGE = 2 * 1024 * 1024

/** Asks the service by its proof, at its base address or another. `null`: it is another installation's, or of another version. */
export async function askArrival(
  base: URL,
  address: string | null,
  key: Pick<Secrets, 'mac'>,
  now: number,
): Promise<Arrival | null> {
  const answer = await ask(under(base, PROBE_PATH), {
    address,
    headers: {
      [PROBE_HEADER]: probeOf(key, now),
      'x-forwarded-for': FORGED,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64'),
    },
  })
  const read = answer.status === 200 ? parsed(answer) : null
  return typeof read?.peer === 'string' ? (read as unknown as Arrival) : null
}

/** A path below the base address, which may have one of its own. */
export function under(base: URL, path: string): URL {
  return new URL(`${base.href.replace(/\/+$/, '')}${path}`)
}

/** The JSON of an answer, or null. */
export function parsed({ text }: Answer): Record<string, unknown> | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether what stands in front of the service says who the client is, in a way that nobody can forge. */
export function checkForwarding({ peer, isTrusted, forwardedFor }: Arrival, base: URL): Diagnosis {
  const { good, bad } = diagnosing('proxy')
  const hops = forwardedFor?.split(',').map((hop) => hop.trim()) ?? []
  const passesOn = hops.at(-1) === FORGED
  if (passesOn && base.protocol === 'http:' && !isTrusted) return good('there is none')
  if (passesOn) {
    return bad(
      `${peer} passes X-Forwarded-For on as strangers write it: they can pretend any address`,
      'have the proxy append the address it is connected from: $proxy_add_x_forwarded_for in nginx',
    )
  }
  if (hops.length === 0) {
    return bad(
      `${peer} sends no X-Forwarded-For: all visitors seem to come from it, and share one limit`,
      'have the proxy send it: proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for in nginx',
    )
  }
  if (!isTrusted) {
    return bad(
      `${peer} says whom it passes on and is not believed: all visitors share one limit`,
      `FRONTDESK_TRUSTED_PROXIES=${peer}`,
    )
  }
  return good(`${peer} says who the client is, and is believed`)
}

/** Whether the chat's WebSocket gets through. */
export function checkSockets({ asksForSocket }: Arrival): Diagnosis {
  const { good, bad } = diagnosing('WebSocket')
  return asksForSocket
    ? good('gets through')
    : bad(
        'the proxy leaves out Upgrade and Connection: chats fall back to asking again and again',
        'pass both on: proxy_set_header Upgrade $http_upgrade and Connection "upgrade" in nginx',
      )
}

/** Whether a body as large as an upload gets through; it is sent to a form that there is not. */
export async function checkBodies(base: URL, address: string | null): Promise<Diagnosis[]> {
  const { good, bad } = diagnosing('uploads')
  try {
    const answer = await ask(under(base, '/f/doctor/uploads'), {
      address,
      method: 'POST',
      body: new Uint8Array(LARGE),
      headers: { 'content-type': 'application/octet-stream' },
    })
    if (answer.status !== 413) return [good('files get through the proxy')]
    return [
      bad(
        'the proxy takes no file of 2 MiB',
        'raise its limit: client_max_body_size 0 in nginx, frontdesk has its own',
      ),
    ]
  } catch (error) {
    return [bad(`a file of 2 MiB does not get through the proxy (${codeOf(error)})`, 'see its limits for bodies')]
  }
}

/** Whether the service that runs is configured as this command is, and of its version. */
export function checkSameness(arrival: Arrival, key: Pick<Secrets, 'mac'>, config: Config): Diagnosis[] {
  const { warn } = diagnosing('service')
  const own = settingsOf(key, config)
  const others = Object.keys(own).filter((name) => arrival.settings[name] !== own[name])
  return [
    ...(arrival.version === VERSION
      ? []
      : [warn(`it runs version ${arrival.version}, and this is ${VERSION}`, 'restart it to run this one')]),
    ...(others.length === 0
      ? []
      : [
          warn(
            `it runs with another ${others.join(' and ')} than this command has`,
            'run the command with the variables of the unit, or what is said below of mail is about something else',
          ),
        ]),
  ]
}
