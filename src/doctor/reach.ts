import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { hostOf, isPrivateHost } from '../lib/network/outbound-address.ts'
import type { Secrets } from '../secrets/seal.ts'
import { askArrival, checkBodies, checkForwarding, checkSameness, checkSockets, parsed, under } from './arrival.ts'
import { ask, codeOf } from './asking.ts'
import { type Diagnosis, diagnosing } from './diagnosis.ts'
import type { Names } from './names.ts'
import type { Arrival } from './probe.ts'
import { certificateFault, checkTls } from './tls.ts'

/** What is asked, and by what. */
export interface Reach {
  readonly config: Config
  readonly names: Names
  /** The installation's; null where there is none yet, or it is not here. */
  readonly key: Pick<Secrets, 'mac'> | null
  readonly now: number
}

/** Whether people reach the service at its base address, and as whom they arrive there. */
export async function checkReach(reach: Reach): Promise<{ diagnoses: Diagnosis[]; arrival: Arrival | null }> {
  const { config, names, key, now } = reach
  const { good, warn, bad } = diagnosing('base URL')
  const base = new URL(config.baseUrl)
  const host = hostOf(base)
  const found = await addressesOf(host, names)
  if ('problem' in found) {
    const remedy = `enter ${host} in the DNS with the address of the proxy, or correct FRONTDESK_BASE_URL`
    return { diagnoses: [bad(found.problem, remedy)], arrival: null }
  }
  const [address = host] = found
  const pinned = address === host ? null : address
  const secure = base.protocol === 'https:'
  const diagnoses = secure ? [await checkTls(base, pinned, now)] : [...plain(host)]
  try {
    const health = await ask(under(base, '/healthz'), { address: pinned })
    const isOurs = ['ok', 'failing'].includes(String(parsed(health)?.status))
    if (!isOurs) return { diagnoses: [...diagnoses, notOurs(health.status, health.headers.location)], arrival: null }
    const arrival = key && (await askArrival(base, pinned, key, now))
    if (key && !arrival) {
      const says = `another frontdesk answers at ${config.baseUrl}, or one of an earlier version`
      return {
        diagnoses: [...diagnoses, bad(says, 'see where the proxy leads, and restart the service')],
        arrival: null,
      }
    }
    diagnoses.push(
      isPrivateHost(address)
        ? warn(
            `${config.baseUrl} is at ${address}, which is reached from this network alone`,
            'mail and links lead there',
          )
        : good(`${config.baseUrl} answers, at ${found.join(' and ')}`),
      ...healthOf(health.status, parsed(health)),
    )
    if (arrival && key) {
      diagnoses.push(...checkSameness(arrival, key, config), checkForwarding(arrival, base), checkSockets(arrival))
      diagnoses.push(...(await checkBodies(base, pinned)))
    }
    return { diagnoses, arrival }
  } catch (error) {
    const code = codeOf(error)
    // What is wrong with a certificate was said above.
    const isSaid = secure && certificateFault(code) !== null
    const silent = bad(
      `nobody answers at ${config.baseUrl} (${code})`,
      'start the service and the proxy; see the firewall',
    )
    return { diagnoses: isSaid ? diagnoses : [...diagnoses, silent], arrival: null }
  }
}

async function addressesOf(host: string, names: Names): Promise<string[] | { problem: string }> {
  if (isIP(host)) return [host]
  try {
    return await names.addresses(host)
  } catch (error) {
    return { problem: `there is no address for ${host} (${codeOf(error)})` }
  }
}

function plain(host: string): Diagnosis[] {
  const { good, bad } = diagnosing('TLS')
  return isPrivateHost(host)
    ? [good('none, and nothing leaves this network')]
    : [
        bad(
          'FRONTDESK_BASE_URL is an http: address: passwords and answers can be read on the way',
          'put a proxy with TLS in front of it, and set FRONTDESK_BASE_URL to its https: address',
        ),
      ]
}

function notOurs(status: number, location: string | string[] | undefined): Diagnosis {
  const { bad } = diagnosing('base URL')
  if (location !== undefined) return bad(`it leads on to ${location}`, 'set FRONTDESK_BASE_URL to where it leads')
  if (status >= 502 && status <= 504) return bad(`the proxy answers ${status}`, 'start the service, see its log')
  return bad(`something else answers there, with ${status}`, 'have the proxy lead to FRONTDESK_HOST:FRONTDESK_PORT')
}

/** What `/healthz` says of the service. */
function healthOf(status: number, health: Record<string, unknown> | null): Diagnosis[] {
  const { good, warn, bad } = diagnosing('service')
  if (status !== 200) return [bad(String(health?.reason), 'see its log')]
  const warnings = Array.isArray(health?.warnings) ? health.warnings.map(String) : []
  return warnings.length === 0 ? [good('is well')] : warnings.map((sentence) => warn(sentence, 'see its log'))
}
