import {
  connectByConsent,
  TrialError,
  tryAndConnect,
  tryConnected,
} from '../../../channels/email/mailboxes/connecting.ts'
import { consentUrl, providerEndpoints } from '../../../channels/email/mailboxes/oauth.ts'
import { disconnectMailbox } from '../../../channels/email/mailboxes/operations.ts'
import { invalid, rule } from '../../../errors.ts'
import { RateLimiter } from '../../../http/limits/rate-limit.ts'
import { type MailProvider, mailProviders } from '../../../kinds/mailboxes.ts'
import { isEmail } from '../../../lib/input/email.ts'
import { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { Refusal, refusalOf, refuse } from '../../refusal.ts'
import { oneTimeTokens } from '../../session/one-time-tokens.ts'
import { Departure, type PageContent, type Redirect, redirectTo, type Visit } from '../../visit.ts'
import { inboxOf, inboxPage } from '../inboxes/inbox.ts'
import { INBOXES, pathOf } from '../inboxes/inboxes.ts'
import { readOld, readServers } from './forms.ts'
import { providerWords, refusedTrial } from './words.ts'

const role = 'admin'
const INBOX = `${INBOXES}/:inboxId`
/** Where the providers lead back to: registered with each of them. */
const CALLBACK = '/console/settings/mailboxes/callback'
/** How long somebody has on a page of the provider's, in milliseconds. */
const LIFETIME = 10 * 60 * 1000
/** Trials of a tenant a minute: each asks other people's servers. */
const TRIALS = 10

interface Asked {
  readonly inboxId: string
  readonly provider: MailProvider
  readonly user: string
  readonly verifier: string
  readonly old: string | undefined
}

/** Mailboxes of email inboxes: connected, tried and let go of, as `inbox connect` does (decisions §13). */
export function mailboxPages(add: Guard): void {
  const { deps } = add
  const { config, clock } = deps
  const trials = new RateLimiter(TRIALS)
  const asked = oneTimeTokens<Asked>(deps.secrets, LIFETIME)
  const endpoints = deps.providerEndpoints ?? providerEndpoints
  const returnTo = config.baseUrl + CALLBACK
  const purposeOf = ({ session }: Visit) => `mailbox consent of session ${session.id}`

  /** Does what asks mail servers, and says in the reader's words what is wrong with them. */
  async function tried<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
    const { retryAfter } = trials.take(visit.principal.tenantId, clock.monotonic())
    if (retryAfter > 0) {
      const text = visit.wording.say('tooManyWhy', { count: Math.ceil(retryAfter / 60) })
      throw new Refusal({ field: null, text }, 429, { 'retry-after': String(retryAfter) })
    }
    return work().catch((error) => {
      throw error instanceof TrialError ? refusedTrial(visit, error) : error
    })
  }

  add.page(INBOX, { role }, (visit) => inboxPage(visit))

  add.action(`${INBOX}/connect`, { role, again: inboxPage }, async (visit, sent) => {
    const { id: inboxId } = await inboxOf(visit)
    const secret = sent.exact('password')
    if (secret === '') throw invalid('password', rule('not_empty'))
    const request = { inboxId, provider: null, secret, old: readOld(visit, sent), ...readServers(visit, sent) }
    await tried(visit, () => tryAndConnect(deps, visit.caller, request))
    return redirectTo(pathOf(inboxId), visit.wording.say('mailboxIsConnected'))
  })

  add.action(`${INBOX}/test`, { role, again: inboxPage }, async (visit) => {
    const { id } = await inboxOf(visit)
    await tried(visit, () => tryConnected(deps, visit.caller, id))
    return redirectTo(pathOf(id), visit.wording.say('mailboxTested'))
  })

  add.action(`${INBOX}/disconnect`, { role }, async (visit) => {
    const { id } = await inboxOf(visit)
    await visit.change((tx, caller) => disconnectMailbox(tx, caller, id))
    return redirectTo(pathOf(id), visit.wording.say('mailboxDisconnected'))
  })

  add.action(`${INBOX}/consent`, { role, again: inboxPage }, async (visit, sent) => {
    const { id: inboxId } = await inboxOf(visit)
    const provider = mailProviders.find((known) => known === sent.text('provider'))
    const client = provider && config.oauth[provider]
    if (!provider || !client) throw refuse(visit.wording.say('mailbox_no_client'))
    const user = sent.text('account')
    if (!isEmail(user)) throw invalid('account', rule('email'))
    const verifier = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
    const errand = { inboxId, provider, user, verifier, old: readOld(visit, sent) }
    const state = asked.issue(errand, purposeOf(visit), visit.at)
    return new Departure(consentUrl(endpoints[provider], client, { user, returnTo, state, verifier }))
  })

  add.landing(CALLBACK, { role }, async (visit) => {
    const errand = asked.redeem(visit.query.get('state') ?? '', purposeOf(visit), visit.at)
    if (!errand) throw refuse(visit.wording.say('mailboxConsentTooOld'))
    const ofInbox = { ...visit, params: { inboxId: errand.inboxId } }
    try {
      return await connectConsented(ofInbox, errand)
    } catch (error) {
      const refusal = refusalOf(visit, error)
      if (!refusal) throw error
      const { problem, status, headers } = refusal
      const again = { problem: { ...problem, field: null }, form: new FormFields() }
      return { ...(await inboxPage(ofInbox, again)), problem: again.problem, status, headers } satisfies PageContent
    }
  })

  async function connectConsented(visit: Visit, errand: Asked): Promise<Redirect> {
    const { say } = visit.wording
    const code = visit.query.get('code')
    if (code === null) throw refuse(say('mailboxConsentDenied', { provider: say(providerWords[errand.provider]) }))
    await tried(visit, () => connectByConsent(deps, visit.caller, { ...errand, code, returnTo }))
    return redirectTo(pathOf(errand.inboxId), say('mailboxIsConnected'))
  }
}
