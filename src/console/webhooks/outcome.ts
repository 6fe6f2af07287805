import type { Config } from '../../config.ts'
import type { SayConsole } from '../words/index.ts'

/** How an attempt ended, as deliveries and tests record it. */
export interface Ended {
  readonly statusCode: number | null
  /** A word; null: the receiver took it. */
  readonly error: string | null
}

/** How an attempt ended, in a few words. */
export function outcomeOf(say: SayConsole, { statusCode, error }: Ended): string {
  const status = String(statusCode ?? '')
  switch (error) {
    case null:
      return say('outcomeTaken', { status })
    case 'status':
      return say('outcomeStatus', { status })
    case 'redirect':
      return say('outcomeRedirect', { status })
    case 'timeout':
      return say('outcomeTimeout')
    case 'dns':
      return say('outcomeDns')
    case 'tls':
      return say('outcomeTls')
    case 'refused':
      return say('outcomeRefused')
    case 'reset':
      return say('outcomeReset')
    case 'blocked_address':
      return say('outcomeBlocked')
    case 'protocol':
      return say('outcomeProtocol')
    default:
      return say('outcomeInternal')
  }
}

/** Why an attempt failed and what to do about it, in plain words; null for one that did not. */
export function whyOf(say: SayConsole, { statusCode, error }: Ended, { timeoutMs }: Config['webhook']): string | null {
  switch (error) {
    case null:
      return null
    case 'status':
      return whyStatus(say, statusCode ?? 0)
    case 'redirect':
      return say('whyRedirect')
    case 'timeout':
      return say('whyTimeout', { seconds: Math.ceil(timeoutMs / 1000) })
    case 'dns':
      return say('whyDns')
    case 'tls':
      return say('whyTls')
    case 'refused':
      return say('whyRefused')
    case 'reset':
      return say('whyReset')
    case 'blocked_address':
      return say('whyBlocked')
    case 'protocol':
      return say('whyProtocol')
    default:
      return say('whyInternal')
  }
}

const byStatus = {
  401: 'whyAccess',
  403: 'whyAccess',
  404: 'whyNotFound',
  405: 'whyMethod',
  410: 'whyNotFound',
  413: 'whySize',
  429: 'whyTooMany',
} as const

function whyStatus(say: SayConsole, statusCode: number): string {
  const status = String(statusCode)
  if (statusCode >= 500) return say('whyServer', { status })
  return say(byStatus[statusCode as keyof typeof byStatus] ?? 'whyRejected', { status })
}
