import { type Rule, rule } from '../../errors.ts'
import { DeliveryError, type DeliveryFailure, type Unreached } from '../../ports/channel.ts'

/** What nodemailer says of a failure, as far as it matters here. */
interface TransportError {
  code?: string
  message?: string
  response?: string
  responseCode?: number
  /** Whom a server refused. */
  recipient?: string
  /** Of a mail whose recipients were all refused: what was said of each. */
  rejectedErrors?: readonly TransportError[]
}

/** What nodemailer tells of a mail that was taken, as far as it matters here. */
export interface Handover {
  rejectedErrors?: readonly TransportError[]
}

/** What is kept of a server's words, in characters. */
const MAX_RESPONSE = 300

/**
 * Turns what the mail transport threw into a DeliveryError; the cause is kept for the log. `handedOver` says whether the
 * server had been given the mail's content: if not, it cannot have arrived.
 */
export function explainFailure(cause: unknown, handedOver: boolean): DeliveryError {
  const error = (cause ?? {}) as TransportError
  const fail = (failure: DeliveryFailure, broken: Rule) => new DeliveryError(failure, broken, { cause })
  if (['EAUTH', 'ENOAUTH', 'EOAUTH2'].includes(error.code ?? '') && !isTemporary(error)) {
    return fail('sign_in', rule('mail_sign_in'))
  }
  const deferring = [error, ...(error.rejectedErrors ?? [])].find(isTemporary)
  if (deferring?.response) return fail('deferred', rule('mail_deferred', { said: inOneLine(deferring.response) }))
  if (error.response) return fail('refused', rule('mail_refused', { said: inOneLine(error.response) }))
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') {
    return fail('impossible', rule('mail_impossible'))
  }
  return handedOver ? fail('interrupted', rule('mail_interrupted')) : fail('unreachable', rule('mail_unreachable'))
}

/** Whom the server refused of the recipients of a mail that it took for the others. */
export function unreachedOf({ rejectedErrors = [] }: Handover): Unreached[] {
  return rejectedErrors.flatMap(({ recipient, response, message = '' }) =>
    recipient === undefined ? [] : [{ address: recipient, why: inOneLine(response ?? message) }],
  )
}

/** A 4xx: no for now (RFC 5321 §4.2.1). */
function isTemporary({ response, responseCode = 0 }: TransportError): boolean {
  return Boolean(response) && responseCode >= 400 && responseCode < 500
}

function inOneLine(words: string): string {
  return words.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_RESPONSE)
}
