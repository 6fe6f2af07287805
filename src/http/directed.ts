import ipaddr from 'ipaddr.js'
import type { Config } from '../config.ts'

/**
 * Tells whether a request was meant for this service by whoever made it, for the gate of what programs on people's own
 * machines talk to: a page that a stranger's name leads here for (DNS rebinding) is recognised by the name it calls us, or
 * by its own origin. An address or `localhost` is no name that a stranger can lead elsewhere.
 */
export function directed({ baseUrl }: Pick<Config, 'baseUrl'>): (request: Request) => boolean {
  const { origin, hostname } = new URL(baseUrl)
  const isOurHost = (name: string) => name === hostname || isOwnMachineOrAddress(name)

  return ({ headers }) => {
    const host = headers.get('host')
    const from = headers.get('origin')
    if (host === null || !isOurHost(hostnameOf(`http://${host}`))) return false
    return from === null || from === origin || isLoopback(hostnameOf(from))
  }
}

function hostnameOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname : ''
}

function isLoopback(name: string): boolean {
  return name === 'localhost' || name === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(name)
}

function isOwnMachineOrAddress(name: string): boolean {
  return name === 'localhost' || ipaddr.isValid(name.replace(/^\[|\]$/g, ''))
}
