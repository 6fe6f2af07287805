import { isEmail } from '../../lib/email.ts'

interface Limitation {
  readonly rule: string
  readonly sample: string
  allows(text: string): boolean
}

/** What a textbox can be restricted to (decisions §5). Looked at by the hosted page's script too. */
export const limitations = {
  email: { rule: 'must be an email address', sample: 'ada@example.com', allows: isEmail },
  telephone: { rule: 'must be a telephone number', sample: '+44 20 7946 0018', allows: isTelephone },
  url: { rule: 'must be a web address', sample: 'https://example.com/', allows: isWebAddress },
  integer: { rule: 'must be a whole number', sample: '42', allows: (text) => /^[+-]?\d{1,15}$/.test(text) },
  letters: { rule: 'must hold letters only', sample: 'Ada', allows: (text) => /^[\p{L}\p{M} ]+$/u.test(text) },
} satisfies Record<string, Limitation>

function isTelephone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length
  return /^\+?[\d\s().\-/]+$/.test(text) && digits >= 3 && digits <= 20 && text.length <= 50
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text) && !/\s/.test(text) && URL.canParse(text)
}
