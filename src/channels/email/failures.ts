/**
 * Why a mail was not sent. `refused` and `deferred`: the server said no for good, or for now. `interrupted`: it may have
 * arrived all the same.
 */
export type MailFailure =
  | 'refused'
  | 'deferred'
  | 'sign_in'
  | 'unreachable'
  | 'interrupted'
  | 'unwritable'
  | 'impossible'

/** A mail that was not sent. Its message may be shown to the tenant: it names no host, user or file of ours. */
export class MailError extends Error {
  override readonly name = 'MailError'

  constructor(
    readonly failure: MailFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** What nodemailer says of a failure, as far as it matters here. */
interface TransportError {
  code?: string
  message?: string
  response?: string
  responseCode?: number
}

/** What is kept of a server's words, in characters. */
const MAX_RESPONSE = 300

/**
 * Turns what the mail transport threw into a MailError; the cause is kept for the log. `handedOver` says whether the
 * server had been given the mail's content: if not, it cannot have arrived.
 */
export function explainFailure(cause: unknown, handedOver: boolean): MailError {
  const error = (cause ?? {}) as TransportError
  const fail = (failure: MailFailure, message: string) => new MailError(failure, message, { cause })
  if (error.code === 'EAUTH' || error.code === 'ENOAUTH') {
    return fail('sign_in', 'the mail server did not accept our sign-in')
  }
  if (error.response) {
    const response = error.response.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_RESPONSE)
    const isTemporary = error.responseCode !== undefined && error.responseCode < 500
    return isTemporary
      ? fail('deferred', `the mail server refused it for now: ${response}`)
      : fail('refused', `the mail server refused it: ${response}`)
  }
  if (error.code === 'EENVELOPE' || error.code === 'EMESSAGE') {
    return fail('impossible', 'the mail server does not take a mail of this size or to this address')
  }
  return handedOver
    ? fail('interrupted', 'the mail server gave no answer: it may have arrived all the same')
    : fail('unreachable', 'the mail server could not be reached')
}
