import { callerFor, outsideCaller } from '../../caller.ts'
import { clientOf } from '../../http/context.ts'
import { Attempts } from '../../http/limits/attempts.ts'
import { hashOf } from '../../lib/hash.ts'
import { html } from '../../lib/html/markup.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { nameOfTenant } from '../../tenants/operations.ts'
import { setPassword } from '../../users/changes.ts'
import { findLink, makeLink } from '../../users/links/links.ts'
import { hashPassword } from '../../users/passwords/passwords.ts'
import { findClaimant } from '../../users/people.ts'
import { newPasswordField } from '../account/new-password.ts'
import { userMails } from '../account-mails.ts'
import { pageHead } from '../components/display.ts'
import { button, field, form } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import { tooMany } from '../problem-pages.ts'
import { type Again, type OpenVisit, type PageContent, Redirect } from '../visit.ts'
import type { KnownBrowsers } from './known-browsers.ts'

const WINDOW = 15 * 60 * 1000
/** Links that an account, and an address, can ask for in that time. */
const OF_ACCOUNT = 3
const OF_ADDRESS = 10

/** Where people who have no password, or none that they remember, choose one by a link that is mailed to them. */
export function passwordPages(add: Guard, known: KnownBrowsers): void {
  const { deps } = add
  const mails = userMails(deps)
  const accounts = new Attempts(deps, OF_ACCOUNT, WINDOW)
  const addresses = new Attempts(deps, OF_ADDRESS, WINDOW)
  const sites = new Attempts(deps, 10 * OF_ADDRESS, WINDOW)

  /** Mails a link to whoever signs in with that address, if anybody does. */
  async function sendLink(visit: OpenVisit, email: string): Promise<void> {
    const claimant = await findClaimant(visit.db, email)
    if (!claimant) return
    const { tenantId, userId, name } = claimant
    const caller = outsideCaller(tenantId, visit.at)
    const link = await deps.database.transaction((tx) => makeLink(tx, caller, userId, 'reset'))
    const tenantName = await nameOfTenant(visit.db, tenantId)
    await mails.reset({ tenantName, email, name }, link, visit.wording)
  }

  add.openPage('/console/password', (visit) => forgotPage(visit))

  add.openAction('/console/password', { again: forgotPage }, async (visit, sent) => {
    const email = normaliseEmail(sent.text('email'))
    // A browser that has signed in to the account before is counted for itself, so that strangers cannot keep it out.
    const browser = known.of(visit.request, email)
    const { network, site } = clientOf(visit.request)
    const ofNetwork = browser === null ? await addresses.take(`reset network ${network}`) : 0
    const wait = ofNetwork || (browser === null && site !== null ? await sites.take(`reset site ${site}`) : 0)
    if (wait > 0) return { ...tooMany(visit, wait), headers: { 'retry-after': String(wait) } }
    const key = hashOf(email)
    const isAllowed = (await accounts.take(`reset ${browser ?? 'account'} ${key}`)) === 0
    // Not waited for: how long it takes would say whether there is such an account.
    if (isAllowed) {
      sendLink(visit, email).catch((error) => deps.log.error('a link for a new password could not be sent', { error }))
    }
    const { say } = visit.wording
    return {
      title: say('forgotTitle'),
      body: html`${pageHead(say('forgotTitle'))}<p>${say('linkSent', { email })}</p><p><a href="${visit.href('/console/sign-in')}">${say('backToStart')}</a></p>`,
    }
  })

  add.openPage('/console/password/:token', (visit) => choosePage(visit))

  add.openAction('/console/password/:token', { again: choosePage }, async (visit, sent) => {
    const token = visit.params.token ?? ''
    const found = await findLink(visit.db, token, visit.at)
    if (!found) return endedPage(visit)
    const about = [found.email, found.name, found.tenantName]
    const hash = await hashPassword(sent.exact('password'), about, deps.hashCosts?.password)
    const isSet = await deps.database.transaction(async (tx) => {
      // Once more: it works but once.
      const link = await findLink(tx, token, visit.at)
      if (!link) return false
      const { tenantId, userId, role, name, email } = link
      const caller = callerFor({ type: 'user', tenantId, userId, role, name: name ?? email }, visit.at, visit.address)
      await setPassword(tx, caller, userId, hash)
      return true
    })
    if (!isSet) return endedPage(visit)
    // Who reads the account's mail is no stranger to it.
    const cookies = [known.remember(visit.request, found.email)]
    const flash = { text: visit.wording.say('passwordIsChosen'), undo: null }
    return new Redirect('/console/sign-in', flash, cookies)
  })
}

function forgotPage(visit: OpenVisit, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('forgotTitle'),
    body: html`${pageHead(say('forgotTitle'), null, say('forgotIntro'))}
${form(visit, { action: '/console/password' }, [
  field(visit, { name: 'email', label: say('email'), type: 'email', required: true, autocomplete: 'username', again }),
  button(say('sendLink')),
])}`,
  }
}

async function choosePage(visit: OpenVisit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const token = visit.params.token ?? ''
  const link = await findLink(visit.db, token, visit.at)
  if (!link) return endedPage(visit)
  const { email, tenantName } = link
  return {
    title: say('choosePassword'),
    body: html`${pageHead(say('choosePassword'), null, say('choosePasswordFor', { email, tenant: tenantName }))}
${form(visit, { action: `/console/password/${token}` }, [
  html`<input type="hidden" name="username" autocomplete="username" value="${email}">`,
  newPasswordField(visit, again),
  button(say('choosePassword')),
])}`,
  }
}

function endedPage(visit: OpenVisit): PageContent {
  const { say } = visit.wording
  return {
    title: say('linkEnded'),
    status: 404,
    body: html`${pageHead(say('linkEnded'), null, say('linkEndedWhy'))}<p><a href="${visit.href('/console/password')}">${say('forgotPassword')}</a></p>`,
  }
}
