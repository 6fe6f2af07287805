import type { AuditAction } from '../../audit/model.ts'
import { type AuditFilters, type AuditRecord, listAudit } from '../../audit/read.ts'
import { type RecordKind, recordNames } from '../../audit/record-names.ts'
import { findGroup } from '../../contacts/rows.ts'
import { type KeyRecord, listKeys } from '../../keys/operations.ts'
import { html, type Insert } from '../../lib/markup.ts'
import type { SignInMethod } from '../../users/model.ts'
import { listPeople } from '../../users/read.ts'
import { pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager, table, withQuery } from '../components/lists.ts'
import { dayIn } from '../days.ts'
import type { Guard } from '../guard.ts'
import type { PageContent, Visit } from '../visit.ts'
import type { ConsoleWords } from '../words/index.ts'

const PAGE = 50

type Kind = RecordKind
type Did = AuditAction extends `${string}.${infer D}` ? D : never

/** There are words for each: one that has none does not compile. */
const wordOfKind = (kind: Kind): `kind_${Kind}` & keyof ConsoleWords => `kind_${kind}`
const wordOfDid = (did: Did): `did_${Did}` & keyof ConsoleWords => `did_${did}`

type Means = SignInMethod | 'code'
const wordOfMeans = (means: Means): `means_${Means}` & keyof ConsoleWords => `means_${means}`

const kinds: readonly Kind[] = [
  'contact',
  'organisation',
  'group',
  'custom_field',
  'import',
  'form',
  'response',
  'ticket',
  'inbox',
  'mail',
  'view',
  'canned_reply',
  'source',
  'article',
  'key',
  'webhook',
  'user',
  'workspace',
  'tenant',
]

/** The audit log (decisions §14). */
export function auditPages(add: Guard): void {
  add.page('/console/audit', { role: 'admin' }, auditPage)
}

async function auditPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const wanted = filtersIn(visit.query)
  const cursor = visit.query.get('cursor') ?? undefined
  const { rows, nextCursor } = await listAudit(visit.db, visit.principal.tenantId, { cursor, limit: PAGE }, wanted)
  const keys = await listKeys(visit.db, visit.principal.tenantId)
  const names = await recordNames(visit.db, visit.principal.tenantId, rows)
  const actions = await Promise.all(rows.map((row) => actionOf(visit, row)))
  const words = ['auditWhen', 'auditWho', 'auditWhat', 'auditRecord', 'auditAddress'] as const
  return {
    title: say('auditTitle'),
    body: html`${pageHead(say('auditTitle'), null, say('auditIntro'))}
${await filterFields(visit, keys)}
${table({
  caption: say('auditEntries'),
  columns: words.map((word) => ({ label: say(word) })),
  rows: rows.map((row, i) => [
    time(visit, row.at),
    authorOf(visit, row),
    actions[i],
    recordOf(visit, row, names.get(row.recordId)),
    row.address && html`<code>${row.address}</code>`,
  ]),
  empty: say('auditEmpty'),
})}
${pager(visit, nextCursor)}`,
  }
}

/** By the name that people know; what has none, or is gone, by its id. It leads to what else happened with it. */
function recordOf({ href, url }: Visit, { recordId }: AuditRecord, name?: string): Insert {
  const path = href(withQuery(url, { record: recordId, cursor: null }))
  if (name === undefined) return html`<a class="code" href="${path}">${recordId}</a>`
  return html`<a href="${path}" title="${recordId}" dir="auto">${name}</a>`
}

/** What of an address is no filter is none: it may have been typed. */
function filtersIn(query: URLSearchParams): AuditFilters {
  const who = query.get('who') ?? ''
  const isVia = who === 'command' || who === 'job'
  const kind = query.get('what') ?? ''
  return {
    authorId: who === '' || isVia ? undefined : who,
    via: isVia ? who : undefined,
    recordId: query.get('record')?.trim() || undefined,
    kind: (kinds as readonly string[]).includes(kind) ? kind : undefined,
    from: dayIn(query.get('from'), 0),
    // The last day belongs to it.
    until: dayIn(query.get('to'), 1),
  }
}

async function filterFields(visit: Visit, keys: readonly KeyRecord[]) {
  const { say } = visit.wording
  const { db, query } = visit
  const { tenantId } = visit.principal
  const people = await listPeople(db, tenantId)
  const who = [
    ['', say('all')],
    ...people.map(({ userId, name, email }) => [userId, name ?? email] as const),
    ...keys.map(({ keyId, name }) => [keyId, say('byKey', { name })] as const),
    ['command', say('viaCommand')],
    ['job', say('viaJob')],
  ] as const
  const what = [['', say('all')], ...kinds.map((kind) => [kind, say(wordOfKind(kind))] as const)] as const
  return filters(visit, say('auditFilters'), [
    select(visit, { name: 'who', label: say('auditWho'), options: who, value: query.get('who') }),
    select(visit, { name: 'what', label: say('auditWhat'), options: what, value: query.get('what') }),
    field(visit, {
      name: 'record',
      label: say('auditRecord'),
      value: query.get('record'),
      placeholder: say('auditRecordHelp'),
    }),
    field(visit, { name: 'from', label: say('auditFrom'), type: 'date', value: query.get('from') }),
    field(visit, { name: 'to', label: say('auditUntil'), type: 'date', value: query.get('to') }),
  ])
}

function authorOf({ wording: { say } }: Visit, { via, authorType, authorName, authorId }: AuditRecord): Insert {
  if (via === 'command') return say('viaCommand')
  if (via === 'job') return say('viaJob')
  const name = authorName ?? authorId ?? say('auditStranger')
  return authorType === 'api' ? say('byKey', { name }) : name
}

async function actionOf(visit: Visit, { action, fields }: AuditRecord): Promise<Insert> {
  const { db, principal, wording } = visit
  const { say } = wording
  const [kind, did] = action.split('.') as [Kind, Did]
  const sentence = say('kindDid', { kind: say(wordOfKind(kind)), did: say(wordOfDid(did)) })
  if (did === 'group_joined' || did === 'group_left') {
    const group = await findGroup(db, principal.tenantId, Number(fields))
    return html`${sentence}<br><span class="help">${group?.name ?? fields}</span>`
  }
  if (!fields) return sentence
  if (did === 'signed_in' || did === 'sign_in_failed') {
    return html`${sentence}<br><span class="help">${say(wordOfMeans(fields as Means))}</span>`
  }
  return html`${sentence}<br><span class="help">${say('fieldsChanged', { fields: fields.replaceAll(',', ', ') })}</span>`
}
