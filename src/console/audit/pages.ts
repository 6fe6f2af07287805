import { type AuditFilters, type AuditRecord, listAudit } from '../../audit/read.ts'
import { ALL_CONTACTS } from '../../contacts/spreadsheet.ts'
import { languageName } from '../../help/words/index.ts'
import { type KeyRecord, listKeys } from '../../keys/operations.ts'
import type { AuditAction } from '../../kinds/audit.ts'
import type { RetentionRule } from '../../kinds/retention.ts'
import type { SignInMethod } from '../../kinds/sign-in.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { listPeople } from '../../users/people.ts'
import { pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager, table, withQuery } from '../components/lists.ts'
import { dayIn } from '../days.ts'
import type { Guard } from '../guard.ts'
import { wordOfRule } from '../settings/retention-words.ts'
import type { PageContent, Visit } from '../visit.ts'
import type { ConsoleWords } from '../words/index.ts'
import { type RecordKind, type RecordReference, recordNames } from './record-names.ts'

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
  'retention',
  'ticket',
  'inbox',
  'mail',
  'view',
  'canned_reply',
  'source',
  'article',
  'key',
  'connection',
  'webhook',
  'user',
  'workspace',
  'tenant',
  'backup',
]

/** The audit log (decisions §14). */
export function auditPages(add: Guard): void {
  add.page('/console/audit', { role: 'admin', isList: true }, auditPage)
}

async function auditPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const wanted = filtersIn(visit.query)
  const cursor = visit.query.get('cursor') ?? undefined
  const { rows, nextCursor } = await listAudit(visit.db, visit.principal.tenantId, { cursor, limit: PAGE }, wanted)
  const keys = await listKeys(visit.db, visit.principal.tenantId)
  const entries = rows.map(entryOf)
  const named = entries.flatMap(({ record, group }) => (group ? [record, group] : [record]))
  const nameOf = await recordNames(visit.db, visit.principal.tenantId, named)
  const words = ['auditWhen', 'auditWho', 'auditWhat', 'auditRecord', 'auditAddress'] as const
  return {
    title: say('auditTitle'),
    body: html`${pageHead(say('auditTitle'), null, say('auditIntro'))}
${await filterFields(visit, keys)}
${table({
  caption: say('auditEntries'),
  columns: words.map((word) => ({ label: say(word) })),
  rows: entries.map((entry) => [
    time(visit, entry.at),
    authorOf(visit, entry),
    actionOf(visit, entry, nameOf),
    recordOf(visit, entry, nameOf),
    entry.address && html`<code>${entry.address}</code>`,
  ]),
  empty: say('auditEmpty'),
})}
${pager(visit, nextCursor)}`,
  }
}

/** An entry, with what it is about. */
interface Entry extends AuditRecord {
  readonly did: Did
  readonly record: RecordReference
  /** Which group a contact joined or left. */
  readonly group: RecordReference | null
}

type NameOf = Awaited<ReturnType<typeof recordNames>>

function entryOf(row: AuditRecord): Entry {
  const [kind, did] = row.action.split('.') as [Kind, Did]
  const isOfGroup = did === 'group_joined' || did === 'group_left'
  const group = isOfGroup ? ({ kind: 'group', id: row.fields ?? '' } as const) : null
  return { ...row, did, record: { kind, id: row.recordId }, group }
}

/**
 * By the name that people know. Of what is gone the entry knows at most its own author's; else the kind and the end of the
 * id, which differs most, stand for it. It leads to what else happened with it.
 */
function recordOf(visit: Visit, entry: Entry, nameOf: NameOf): Insert {
  const { href, url, wording } = visit
  const { say } = wording
  const { record, recordId, authorId, authorName } = entry
  const path = href(withQuery(url, { record: recordId, cursor: null }))
  const isRule = record.kind === 'retention'
  if (isRule) return html`<a href="${path}">${say(wordOfRule(recordId as RetentionRule))}</a>`
  if (record.kind === 'backup') return html`<a href="${path}">${time(visit, recordId)}</a>`
  const name = nameOf(record) ?? (authorId === recordId ? authorName : null)
  if (name !== null) return html`<a href="${path}" title="${recordId}" dir="auto">${name}</a>`
  if (recordId === ALL_CONTACTS) return html`<a href="${path}">${say('contactsTitle')}</a>`
  const kind = say(wordOfKind(record.kind))
  return html`<a href="${path}" title="${recordId}">${kind} <span class="code">…${recordId.slice(-8)}</span></a>`
}

/** The filters of an address. Values that are no filters are ignored: somebody may have typed them. */
function filtersIn(query: URLSearchParams): AuditFilters {
  const who = query.get('who') ?? ''
  const isVia = who === 'command' || who === 'job' || who === 'mcp'
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
    ['mcp', say('viaMcp')],
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
  if (authorType !== 'api') return name
  return say(via === 'mcp' ? 'byKeyThroughMcp' : 'byKey', { name })
}

function actionOf({ wording }: Visit, entry: Entry, nameOf: NameOf): Insert {
  const { say } = wording
  const { did, record, fields } = entry
  const sentence = say('kindDid', { kind: say(wordOfKind(record.kind)), did: say(wordOfDid(did)) })
  return fields ? html`${sentence}<br><span class="help">${moreOf(wording, entry, fields, nameOf)}</span>` : sentence
}

/** What the fields of an entry say besides. */
function moreOf(
  { say, write, locale }: Visit['wording'],
  { did, group }: Entry,
  fields: string,
  nameOf: NameOf,
): string {
  if (group) return nameOf(group) ?? fields
  if (did === 'signed_in' || did === 'sign_in_failed') return say(wordOfMeans(fields as Means))
  if (did === 'translated' || did === 'translation_deleted') return languageName(fields, locale)
  if (did === 'set') return fields === 'off' ? say('keptForGood') : say('keptDays', { count: Number(fields) })
  if (did === 'applied') return say('retentionGone', { number: write(Number(fields)) })
  return say('fieldsChanged', { fields: fields.replaceAll(',', ', ') })
}
