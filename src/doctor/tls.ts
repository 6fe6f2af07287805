import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { hostOf } from '../lib/network/outbound-address.ts'
import { codeOf, PATIENCE } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'

const DAY = 24 * 60 * 60_000
/** How long before its end a certificate is spoken of, in milliseconds: what renews by itself has done so by then. */
const NOTICE = 14 * DAY

/** Codes of what is wrong with a certificate, in words with what to do. */
const FAULTS: readonly [RegExp, string, string][] = [
  [/EXPIRED/, 'the certificate has ended', 'renew it, and have the proxy read it'],
  [/ALTNAME|HOSTNAME/, 'the certificate is for another host', 'get one for the host of FRONTDESK_BASE_URL'],
  [/SELF_SIGNED/, 'nobody vouches for the certificate', 'get one of an authority that browsers know'],
  [
    /UNABLE_TO_(VERIFY|GET)/,
    'the proxy does not send the whole chain of certificates, or its authority is not known here',
    'give the proxy fullchain.pem; name an authority of your own in NODE_EXTRA_CA_CERTS',
  ],
]

/** What a code says of a certificate, or null where it is about something else. */
export function certificateFault(code: string): Diagnosis | null {
  const found = FAULTS.find(([pattern]) => pattern.test(code))
  return found ? diagnosing('TLS').bad(`${found[1]} (${code})`, found[2]) : null
}

/** Until when the certificate at a host holds, and which TLS is spoken. For a host that was reached by HTTPS. */
export async function checkTls(url: URL, address: string | null, now: number): Promise<Diagnosis> {
  const { good, warn, bad } = diagnosing('TLS')
  const host = hostOf(url)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({
    host: address ?? host,
    port: Number(url.port || 443),
    ...(isIP(host) ? {} : { servername: host }),
  })
  socket.setTimeout(PATIENCE, () => socket.destroy(new Error('no answer in time')))
  socket.on('error', reject)
  socket.on('secureConnect', resolve)
  try {
    await promise
    const ends = Date.parse(socket.getPeerCertificate().valid_to)
    const day = new Date(ends).toISOString().slice(0, 10)
    const said = `${socket.getProtocol()}, a certificate until ${day}`
    return ends - now < NOTICE ? warn(said, 'see why it has not been renewed') : good(said)
  } catch (error) {
    const code = codeOf(error)
    return certificateFault(code) ?? bad(`no secure connection came about (${code})`, 'see the log of the proxy')
  } finally {
    socket.destroy()
  }
}
