import { invalid, rule } from '../../errors.ts'
import { html } from '../../lib/html/markup.ts'
import { DeliveryError } from '../../ports/channel.ts'
import { removeUser } from '../../privacy/user-removal.ts'
import { changeBillable, changeRole, dropSecondFactors, endAllSessions } from '../../users/changes.ts'
import { hasLink, inviteUser, makeLink, type NewLink, resetPassword } from '../../users/links/links.ts'
import { getPerson, listPeople, type Person } from '../../users/people.ts'
import { forgetIdentity } from '../../users/provider/identities.ts'
import { listSessions } from '../../users/sessions/sessions.ts'
import { userMails } from '../account-mails.ts'
import { backLink, badge, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { button, checkbox, confirmed, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, redirectTo, type View, type Visit } from '../visit.ts'

/** Who works for the tenant (decisions §14): admins see to it. */
export function userPages(add: Guard): void {
  const mails = userMails(add.deps)
  const role = 'admin'

  /** What an admin is told of a mail that was sent: one without a server lies where only they can take it from. */
  const sentWords = (sent: 'userIsInvited' | 'resetIsSent') =>
    add.deps.config.smtpUrl === null ? 'mailIsInOutbox' : sent

  /** Sends a link to somebody. Returns whether it was sent: the reason of a failure is in the log. */
  async function send(
    visit: Visit,
    { userId, email, name }: Pick<Person, 'userId' | 'email' | 'name'>,
    link: NewLink,
    isNew: boolean,
  ) {
    const { tenantId, name: by } = visit.principal
    const to = { tenantName: visit.session.tenantName, email, name }
    try {
      // In the admin's language: nobody knows theirs yet.
      await (isNew ? mails.invitation(to, link, by, visit.wording) : mails.reset(to, link, visit.wording))
      return true
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      add.deps.log.error('a mail to a user could not be sent', { tenantId, userId, why: error.message })
      return false
    }
  }

  add.page('/console/users', { role }, usersPage)
  add.page('/console/users/new', { role }, (visit) => invitePage(visit))
  add.page('/console/users/:id', { role }, (visit) => userPage(visit))

  add.action('/console/users', { role, again: invitePage }, async (visit, sent) => {
    const { say } = visit.wording
    const input = {
      email: sent.text('email'),
      name: sent.text('name'),
      role: roleIn(sent.text('role')),
      billable: sent.has('billable'),
    }
    const { userId, ...link } = await visit.change((tx, caller) => inviteUser(tx, caller, input))
    const isSent = await send(visit, { ...input, userId }, link, true)
    return redirectTo(
      '/console/users',
      say(isSent ? sentWords('userIsInvited') : 'userIsThereMailFailed', { email: input.email }),
    )
  })

  add.action('/console/users/:id', { role, again: userPage }, async (visit, sent) => {
    const { userId, email } = await personOf(visit)
    await visit.change(async (tx, caller) => {
      await changeRole(tx, caller, userId, roleIn(sent.text('role')))
      await changeBillable(tx, caller, userId, sent.has('billable'))
    })
    return redirectTo('/console/users', visit.wording.say('userIsSaved', { email }))
  })

  add.action('/console/users/:id/link', { role, again: userPage }, async (visit) => {
    const { say } = visit.wording
    const person = await personOf(visit)
    const { userId, email, isInvited } = person
    const link = await visit.change((tx, caller) =>
      isInvited ? makeLink(tx, caller, userId, 'invitation') : resetPassword(tx, caller, userId),
    )
    if (!(await send(visit, person, link, isInvited))) throw refuse(say('mailFailed'))
    return redirectTo(
      `/console/users/${userId}`,
      say(sentWords(isInvited ? 'userIsInvited' : 'resetIsSent'), { email }),
    )
  })

  add.action('/console/users/:id/sessions-end', { role, again: userPage }, async (visit) => {
    const { userId, email } = await personOf(visit)
    const kept = userId === visit.principal.userId ? visit.session.id : null
    await visit.change((tx, caller) => endAllSessions(tx, caller, userId, kept))
    return redirectTo(`/console/users/${userId}`, visit.wording.say('sessionsAreEnded', { email }))
  })

  add.action('/console/users/:id/identity-forget', { role, again: userPage }, async (visit) => {
    const { userId, email } = await personOf(visit)
    await visit.change((tx, caller) => forgetIdentity(tx, caller, userId))
    return redirectTo(`/console/users/${userId}`, visit.wording.say('providerIsForgotten', { email }))
  })

  add.action('/console/users/:id/second-factor-off', { role, again: userPage }, async (visit) => {
    const { userId, email } = await personOf(visit)
    await visit.change((tx, caller) => dropSecondFactors(tx, caller, userId))
    return redirectTo(`/console/users/${userId}`, visit.wording.say('codeIsOffFor', { email }))
  })

  add.action('/console/users/:id/remove', { role, again: userPage }, async (visit) => {
    const { userId, email } = await personOf(visit)
    await visit.change((tx, caller) => removeUser(tx, caller, userId))
    return redirectTo('/console/users', visit.wording.say('userIsRemoved', { email }))
  })
}

/** Throws `invalid_request` for anything else: who is left without a word would lose what they may do. */
function roleIn(text: string): 'admin' | 'agent' {
  if (text !== 'admin' && text !== 'agent') throw invalid('role', rule('one_of', { choices: 'admin, agent' }))
  return text
}
const personOf = (visit: Visit) => getPerson(visit.db, visit.principal.tenantId, visit.params.id ?? '')

async function usersPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const people = await listPeople(visit.db, visit.principal.tenantId)
  const words = ['userName', 'email', 'userRole', 'userState', 'userSince'] as const
  return {
    title: say('usersTitle'),
    body: html`${pageHead(say('usersTitle'), linkButton(visit, '/console/users/new', say('inviteUser')), say('usersIntro'))}
${table({
  caption: say('usersTitle'),
  hidesCaption: true,
  columns: words.map((word) => ({ label: say(word) })),
  rows: people.map((person) => [
    html`<a href="${visit.href(`/console/users/${person.userId}`)}">${person.name ?? person.email}</a>`,
    person.email,
    say(person.role),
    stateOf(visit, person),
    time(visit, person.createdAt, 'date'),
  ]),
  empty: '',
})}`,
  }
}

function stateOf({ wording: { say } }: View, { isInvited, hasSecondFactor, returned }: Person) {
  return html`${isInvited ? badge(say('userInvited'), 'warn') : badge(say('userActive'), 'good')}${
    hasSecondFactor && html` ${badge(say('secondFactorOn'))}`
  }${returned && html` ${badge(say('mailCameBack'), 'bad')}`}`
}

/** The fields that say what somebody may do. */
function access(visit: Visit, { role, billable }: Partial<Person>, again?: Again) {
  const { say } = visit.wording
  const roles = [
    ['agent', say('agent')],
    ['admin', say('admin')],
  ] as const
  return [
    select(visit, { name: 'role', label: say('userRole'), options: roles, value: role ?? 'agent', again }),
    checkbox(visit, {
      name: 'billable',
      label: say('userBillable'),
      help: say('userBillableHelp'),
      checked: billable ?? false,
      again,
    }),
  ]
}

function invitePage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  return {
    title: say('inviteUser'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/users', say('backToUsers'))}
${pageHead(say('inviteUser'), null, say('usersIntro'))}
${form(visit, { action: '/console/users' }, [
  field(visit, {
    name: 'email',
    label: say('email'),
    type: 'email',
    help: say('userEmailHelp'),
    required: true,
    again,
  }),
  field(visit, { name: 'name', label: say('userName'), maxLength: 255, again }),
  ...access(visit, {}, again),
  button(say('sendInvitation')),
])}`,
  }
}

async function userPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const person = await personOf(visit)
  const { userId, email, isInvited, returned } = person
  const path = `/console/users/${userId}`
  const title = person.name ?? email
  const isWaiting = isInvited && (await hasLink(visit.db, visit.principal.tenantId, userId, visit.at))
  const sessions = await listSessions(visit.db, { tenantId: visit.principal.tenantId, userId }, visit.at)
  const sessionsPart = sessions.length
    ? html`<p>${say('userSessions', { count: sessions.length })}</p>${confirmed(visit, { label: say('endSessions'), question: say('endSessionsQuestion', { email }), action: `${path}/sessions-end` })}`
    : html`<p>${say('userNoSessions')}</p>`
  const provider = person.providerIssuer ? new URL(person.providerIssuer).host : ''
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, '/console/users', say('backToUsers'))}
${pageHead(title)}
${definitions([
  [say('email'), email],
  [say('userState'), stateOf(visit, person)],
  [say('userSince'), time(visit, person.createdAt)],
  [say('mailCameBack'), returned && html`${time(visit, returned.at)}: ${returned.error}`],
])}
${card(say('userRole'), form(visit, { action: path }, [...access(visit, person, again), button(say('save'))]))}
${card(say('accessTitle'), html`<p>${returned ? say('mailCameBackHelp') : isWaiting ? say('userIsInvited', { email }) : say('resetHelp')}</p>${form(visit, { action: `${path}/link` }, button(say(isInvited ? 'resendInvitation' : 'sendReset'), { kind: 'secondary' }))}`)}
${card(say('userSessionsTitle'), sessionsPart)}
${person.providerIssuer && card(say('providerTitle'), html`<p>${say('providerKnows', { provider })}</p>${confirmed(visit, { label: say('providerForget'), question: say('providerForgetQuestion', { provider, email }), action: `${path}/identity-forget` })}`)}
${person.hasSecondFactor && card(say('codeTitle'), confirmed(visit, { label: say('turnOffCode'), question: say('turnOffFor'), action: `${path}/second-factor-off` }))}
${userId !== visit.principal.userId && card(say('removeTitle'), confirmed(visit, { label: say('removeUser'), question: say('removeQuestion', { email }), action: `${path}/remove` }))}`,
  }
}
