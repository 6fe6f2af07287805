import { audit } from '../../audit/record.ts'
import { notFound } from '../../errors.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { changeProfile, endAllSessions, setPassword } from '../../users/changes.ts'
import { listConnections, revokeConnection } from '../../users/oauth/connections.ts'
import { hashPassword } from '../../users/passwords/passwords.ts'
import { getPerson } from '../../users/people.ts'
import { listSessions, signOut } from '../../users/sessions/sessions.ts'
import { badge, card, pageHead, time } from '../components/display.ts'
import { button, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import { connectionTable } from '../connections/list.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type View, type Visit } from '../visit.ts'
import { consoleWordLists } from '../words/index.ts'
import { afterTicketPages, afterTicketPart } from './after-ticket.ts'
import { alertPages, alertPart } from './alerts.ts'
import { awayPages, awayPart } from './away.ts'
import { passwordConfirmation, passwordField } from './confirmation.ts'
import { newPasswordField } from './new-password.ts'
import { passkeyPages, passkeyPart } from './passkey-pages.ts'
import { secondFactorPages, secondFactorPart } from './second-factor-pages.ts'
import { shortcutPages, shortcutPart } from './shortcuts.ts'
import { saveSignature, signaturePart } from './signature.ts'
import { themePages } from './theme.ts'
import { browserIn } from './user-agent.ts'

const PATH = '/console/account'

/** What is somebody's own (decisions §14). */
export function accountPages(add: Guard): void {
  const requirePassword = passwordConfirmation(add)
  secondFactorPages(add, requirePassword)
  passkeyPages(add, requirePassword)
  shortcutPages(add)
  afterTicketPages(add, accountPage)
  awayPages(add)
  alertPages(add, accountPage)
  themePages(add)

  add.page(PATH, {}, (visit) => accountPage(visit))

  add.action(`${PATH}/profile`, { again: accountPage }, async (visit, sent) => {
    const language = sent.text('language') || null
    await visit.change((tx, caller) =>
      changeProfile(tx, caller, visit.principal.userId, { name: sent.text('name'), language }),
    )
    return redirectTo(PATH, visit.wording.say('profileIsSaved'))
  })

  add.action(`${PATH}/signature`, { again: accountPage }, async (visit, sent) => {
    await saveSignature(visit, sent)
    return redirectTo(PATH, visit.wording.say('signatureIsSaved'))
  })

  add.action(`${PATH}/password`, { again: accountPage }, async (visit, sent) => {
    await requirePassword(visit, sent)
    const { principal } = visit
    const { id, email, tenantName } = visit.session
    const about = [email, principal.name, tenantName]
    const hash = await hashPassword(sent.exact('password'), about, add.deps.hashCosts?.password)
    await visit.change((tx, caller) => setPassword(tx, caller, principal.userId, hash, id))
    return redirectTo(PATH, visit.wording.say('passwordIsChanged'))
  })

  add.action(`${PATH}/sessions/end-others`, {}, async (visit) => {
    const { principal, session } = visit
    await visit.change((tx, caller) => endAllSessions(tx, caller, principal.userId, session.id))
    return redirectTo(PATH, visit.wording.say('othersAreEnded'))
  })

  add.action(`${PATH}/connections/:id/end`, {}, async (visit) => {
    const { principal, params } = visit
    const name = await visit.change((tx, caller) => revokeConnection(tx, caller, params.id ?? '', principal.userId))
    return redirectTo(PATH, visit.wording.say('connectionIsEnded', { name }))
  })

  add.action(`${PATH}/sessions/:id/end`, {}, async (visit) => {
    const { principal, params } = visit
    await visit.change(async (tx, caller) => {
      if (!(await signOut(tx, principal, params.id ?? ''))) throw notFound('session')
      await audit(tx, caller, 'user.sessions_ended', principal.userId)
    })
    return redirectTo(PATH, visit.wording.say('sessionIsEnded'))
  })
}

async function accountPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { email } = visit.session
  const passkeys = await passkeyPart(visit)
  const { tenantId, userId } = visit.principal
  const connections = await listConnections(visit.db, tenantId, visit.at, userId)
  // The page has several forms: only the one that was sent comes again.
  const ofForm = (field: string) => (again?.form.has(field) ? again : undefined)
  return {
    title: say('accountTitle'),
    body: html`${pageHead(say('accountTitle'), null, say('accountEmail', { email }))}
${card(say('profileTitle'), await profileForm(visit, ofForm('name')))}
${card(say('signatureTitle'), await signaturePart(visit, `${PATH}/signature`, ofForm('signature')))}
${card(say('alertsTitle'), await alertPart(visit, ofForm('mail-assigned')))}
${card(say('awayTitle'), awayPart(visit))}
${card(say('afterDoneTitle'), afterTicketPart(visit, ofForm('afterDone')))}
${card(say('shortcutsTitle'), shortcutPart(visit))}
${card(say('passwordTitle'), passwordForm(visit, ofForm('password')))}
${card(say('codeTitle'), await secondFactorPart(visit))}
${passkeys && card(say('passkeysTitle'), passkeys)}
${card(say('sessionsTitle'), await sessionTable(visit))}
${card(say('connectionsTitle'), connectionTable(visit, connections, { path: `${PATH}/connections` }))}`,
  }
}

async function profileForm(visit: Visit, again?: Again) {
  const { say } = visit.wording
  const { principal, session } = visit
  const { name } = await getPerson(visit.db, principal.tenantId, principal.userId)
  const names = new Intl.DisplayNames(visit.wording.locale, { type: 'language' })
  const languages = [
    ['', say('languageOfTenant', { tenant: session.tenantName })],
    ...Object.keys(consoleWordLists).map((tag) => [tag, names.of(tag) ?? tag] as const),
  ] as const
  return form(visit, { action: `${PATH}/profile` }, [
    field(visit, {
      name: 'name',
      label: say('userName'),
      value: name,
      help: say('profileNameHelp'),
      required: true,
      maxLength: 255,
      autocomplete: 'name',
      again,
    }),
    select(visit, { name: 'language', label: say('language'), options: languages, value: session.language, again }),
    button(say('save')),
  ])
}

function passwordForm(visit: Visit, again?: Again) {
  const { say } = visit.wording
  return form(visit, { action: `${PATH}/password` }, [
    passwordField(visit, again),
    newPasswordField(visit, again),
    button(say('changePassword'), { kind: 'secondary' }),
  ])
}

async function sessionTable(visit: Visit) {
  const { say } = visit.wording
  const sessions = await listSessions(visit.db, visit.principal, visit.at)
  const own = visit.session.id
  const end = (path: string, text: Insert) =>
    form(visit, { action: `${PATH}/sessions/${path}`, inline: true }, button(text, { kind: 'quiet' }))
  return html`${table({
    caption: say('sessionsTitle'),
    hidesCaption: true,
    columns: [
      { label: say('sessionBrowser') },
      { label: say('sessionBegan') },
      { label: say('sessionSeen') },
      { label: say('sessionFrom') },
      { label: say('actions'), kind: 'actions' },
    ],
    rows: sessions.map(({ id, userAgent, createdAt, lastSeenAt, address }) => [
      browserName(visit, userAgent),
      time(visit, createdAt),
      time(visit, lastSeenAt),
      address,
      id === own ? badge(say('thisSession'), 'accent') : end(`${id}/end`, say('endSession')),
    ]),
    empty: '',
  })}${sessions.length > 1 && html`<div>${end('end-others', say('endOthers'))}</div>`}`
}

function browserName({ wording: { say } }: View, userAgent: string | null): string {
  const { browser, system } = browserIn(userAgent ?? '')
  if (browser === null) return say('unknownBrowser')
  return system === null ? browser : say('browserOn', { browser, system })
}
