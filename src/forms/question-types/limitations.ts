import type { rules } from '../../errors/rules.ts'
import { isDomain, isEmail } from '../../lib/input/email.ts'

interface Limitation {
  /** The rule that what it does not allow breaks: its key alone, since the page's script is made of this, too. */
  readonly rule: keyof typeof rules
  readonly sample: string
  allows(text: string): boolean
}

/** What a textbox can be restricted to (decisions §5). Looked at by the hosted page's script too. */
export const limitations = {
  email: { rule: 'email', sample: 'ada@example.com', allows: isEmail },
  telephone: { rule: 'telephone', sample: '+44 20 7946 0018', allows: isTelephone },
  url: { rule: 'web_address', sample: 'https://example.com/', allows: isWebAddress },
  integer: { rule: 'whole_number', sample: '42', allows: (text) => /^[+-]?\d{1,15}$/.test(text) },
  letters: { rule: 'letters', sample: 'Ada', allows: (text) => /^[\p{L}\p{M} ]+$/u.test(text) },
} satisfies Record<string, Limitation>

export type LimitationName = keyof typeof limitations

function isTelephone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return /^\+?[\d\s().\-/]+$/.test(text) && digits >= 3 && digits <= 20 && text.length <= 50
}

/** A web address as it is stored (decisions §6): people leave `https://` out. */
export function wholeWebAddress(text: string): string {
  return /^https?:\/\//i.test(text) ? text : `https://${text}`
}

function isWebAddress(text: string): boolean {
  if (/\s/.test(text) || !URL.canParse(wholeWebAddress(text))) return false
  // Without https:// it has to look like a host, so that neither a word nor a number nor another scheme is taken for one.
  const host = /^([^/?#:]+)(?::\d+)?(?:[/?#]|$)/.exec(text)?.[1]
  return /^https?:\/\/[^/]/i.test(text) || (host !== undefined && isDomain(host) && !/\.\d+$/.test(host))
}
