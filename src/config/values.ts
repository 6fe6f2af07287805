import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isEmail } from '../lib/input/email.ts'
import { ConfigError, type Environment, type Variable } from './variables.ts'

/*
 * The values that variables can have. Each reads one variable, where an empty value counts as unset, and throws
 * ConfigError, which names the variable and the rule.
 */

export function integer(env: Environment, name: Variable, fallback: number, min: number, max: number): number {
  const text = env[name]
  if (!text) return fallback
  const value = Number(text)
  if (!/^\d{1,15}$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name}: must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}`)
  }
  return value
}

export function boolean(env: Environment, name: Variable, fallback: boolean): boolean {
  const text = env[name]
  if (!text) return fallback
  if (text !== 'true' && text !== 'false') {
    throw new ConfigError(`${name}: must be true or false, not ${JSON.stringify(text)}`)
  }
  return text === 'true'
}

export function email(env: Environment, name: Variable): string | null {
  const text = env[name]?.trim()
  if (!text) return null
  if (!isEmail(text)) throw new ConfigError(`${name}: must be an email address alone, such as no-reply@acme.example`)
  return text
}

/** The value is left out of the message: it can hold a password. */
export function url(env: Environment, name: Variable, protocols: readonly string[]): string | null {
  const text = env[name]
  if (!text) return null
  const parsed = URL.canParse(text) ? new URL(text) : null
  if (!parsed || !protocols.includes(parsed.protocol) || !parsed.hostname) {
    throw new ConfigError(`${name}: must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`)
  }
  return text.replace(/\/+$/, '')
}

/** As `url`, of a server that may be several hosts, each with its port, of which one is the right one: `//a:5432,b:5432/`. */
export function urlOfHosts(env: Environment, name: Variable, protocols: readonly string[]): string | null {
  const [, before = '', hosts = '', after = ''] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(env[name] ?? '') ?? []
  if (!hosts.includes(',')) return url(env, name, protocols)
  for (const host of hosts.split(',')) url({ [name]: before + host + after }, name, protocols)
  return (env[name] as string).replace(/\/+$/, '')
}

/** An address that paths are appended to. */
export function base(env: Environment, name: Variable): string | null {
  const found = url(env, name, ['http:', 'https:'])
  if (found && /[@?#\s]/.test(found)) {
    throw new ConfigError(`${name}: must be an address alone, without a user, a query (?), a fragment (#) or blanks`)
  }
  return found
}

export function addressRanges(env: Environment, name: Variable): string[] {
  const ranges = (env[name] ?? '').split(/[\s,]+/).filter(Boolean)
  const bad = ranges.find((range) => !(range.includes('/') ? ipaddr.isValidCIDR(range) : isIP(range)))
  if (bad) throw new ConfigError(`${name}: ${JSON.stringify(bad)} is neither an address nor a range such as 10.0.0.0/8`)
  return ranges
}
