import { createKey, type KeyRecord, listKeys, revokeKey } from '../../keys/operations.ts'
import { html } from '../../lib/html/markup.ts'
import { formatTime } from '../../lib/time.ts'
import { listConnections, revokeConnection } from '../../users/oauth/connections.ts'
import { backLink, badge, copyable, linkButton, pageHead, time } from '../components/display.ts'
import { button, confirmed, field, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import { connectionTable } from '../connections/list.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type View, type Visit } from '../visit.ts'
import { docsKeyPages } from './docs-key.ts'
import { scopeFields } from './scope-fields.ts'

/** Keys of the API (api.md §5). */
export function keyPages(add: Guard): void {
  add.page('/console/keys', { role: 'admin' }, keysPage)
  docsKeyPages(add)
  add.page('/console/keys/new', { role: 'admin' }, (visit) => newKeyPage(visit))

  add.action('/console/keys', { role: 'admin', again: newKeyPage }, async (visit, sent) => {
    const until = sent.text('expires')
    const input = {
      name: sent.text('name'),
      scopes: sent.texts('scopes'),
      // The end of that day. What is no date is past, and refused as such.
      expiresAt: until === '' ? null : (endOfDay(until) ?? formatTime(0)),
    }
    const { key } = await visit.change((tx, caller) => createKey(tx, caller, input))
    return createdPage(visit, input.name, key)
  })

  add.action('/console/keys/:id/revoke', { role: 'admin' }, async (visit) => {
    const { name } = await visit.change((tx, caller) => revokeKey(tx, caller, visit.params.id ?? ''))
    return redirectTo('/console/keys', visit.wording.say('keyIsRevoked', { name }))
  })

  add.action('/console/keys/connections/:id/end', { role: 'admin' }, async (visit) => {
    const name = await visit.change((tx, caller) => revokeConnection(tx, caller, visit.params.id ?? ''))
    return redirectTo('/console/keys', visit.wording.say('connectionIsEnded', { name }))
  })
}

function endOfDay(date: string): string | null {
  const end = new Date(`${date}T23:59:59.999Z`)
  return Number.isNaN(end.getTime()) ? null : end.toISOString()
}

async function keysPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const all = await listKeys(visit.db, visit.principal.tenantId)
  const connections = await listConnections(visit.db, visit.principal.tenantId, visit.at)
  const now = formatTime(visit.at)
  const works = ({ revokedAt, expiresAt }: KeyRecord) => revokedAt === null && (expiresAt === null || expiresAt > now)
  const [inUse, ended] = [all.filter(works), all.filter((key) => !works(key))]
  const add = html`${linkButton(visit, '/console/keys/docs', say('docsKeyTitle'), 'secondary')}${linkButton(visit, '/console/keys/new', say('newKey'))}`
  return {
    title: say('keysTitle'),
    body: html`${pageHead(say('keysTitle'), add, html`${say('keysIntro')} <a href="${visit.href('/docs')}">${say('readDocs')}</a>`)}
${table({
  caption: say('keysInUse'),
  columns: [
    ...['keyName', 'keyStarts', 'keyScopes', 'keyLastUsed', 'keyExpires'].map((word) => ({
      label: say(word as 'keyName'),
    })),
    { label: say('actions'), kind: 'actions' },
  ],
  rows: inUse.map((key) => [
    key.name,
    html`<code>${key.prefix}…</code>`,
    key.scopes.map((scope) => html`${badge(scope)} `),
    key.lastUsedAt ? time(visit, key.lastUsedAt) : say('never'),
    key.expiresAt ? time(visit, key.expiresAt, 'date') : '–',
    confirmed(visit, {
      label: say('revokeKey'),
      question: say('revokeQuestion', { name: key.name }),
      action: `/console/keys/${key.keyId}/revoke`,
    }),
  ]),
  empty: say('noKeys'),
})}
${ended.length > 0 && endedTable(visit, ended)}
${connectionTable(visit, connections, { path: '/console/keys/connections', namesPeople: true })}`,
  }
}

function endedTable(view: View, ended: readonly KeyRecord[]) {
  const { say } = view.wording
  return table({
    caption: say('keysEnded'),
    columns: ['keyName', 'keyStarts', 'keyState', 'keyLastUsed'].map((word) => ({ label: say(word as 'keyName') })),
    rows: ended.map(({ name, prefix, revokedAt, expiresAt, lastUsedAt }) => [
      name,
      html`<code>${prefix}…</code>`,
      html`${badge(say(revokedAt ? 'keyRevoked' : 'keyExpired'))} ${time(view, (revokedAt ?? expiresAt) as string, 'date')}`,
      lastUsedAt ? time(view, lastUsedAt) : say('never'),
    ]),
    empty: '',
  })
}

function newKeyPage(visit: Visit, again?: Again): PageContent {
  const { say } = visit.wording
  const tomorrow = formatTime(visit.at + 24 * 60 * 60 * 1000).slice(0, 10)
  return {
    title: say('newKey'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/keys', say('keysTitle'))}
${pageHead(say('newKey'))}
${form(visit, { action: '/console/keys' }, [
  field(visit, {
    name: 'name',
    label: say('keyName'),
    help: say('keyNameHelp'),
    required: true,
    maxLength: 255,
    again,
  }),
  scopeFields(visit, again),
  field(visit, {
    name: 'expires',
    label: say('keyExpires'),
    type: 'date',
    min: tomorrow,
    help: say('keyExpiresHelp'),
    again,
  }),
  button(say('createKey')),
])}`,
  }
}

/** The one time that a key is shown: an answer to the form itself, so that it stands in no address and no cookie. */
function createdPage(visit: Visit, name: string, key: string): PageContent {
  const { say } = visit.wording
  return {
    title: say('keyIsCreated'),
    width: 'narrow',
    body: html`${pageHead(say('keyIsCreated'), null, name)}
<p>${say('keyShownOnce')}</p>
${copyable(visit, { label: say('keyValue'), value: key, id: 'key' })}
<p>${linkButton(visit, '/console/keys', say('keyDone'), 'secondary')}</p>`,
  }
}
