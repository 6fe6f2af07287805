import { draftImport, type Import, listImports } from '../../contacts/imports/operations.ts'
import { recogniseDelimiter } from '../../contacts/imports/records.ts'
import { displayName } from '../../files/names.ts'
import { checkRoom } from '../../files/room.ts'
import { MAX_FILE_SIZE } from '../../kinds/contact-imports.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { newId } from '../../lib/ids.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import { countLines, one, recogniseEncoding, textOf } from '../../lib/text/file-text.ts'
import { badge, card, pageHead, time } from '../components/display.ts'
import { button, buttons, field, form } from '../components/forms.ts'
import { pager, table } from '../components/lists.ts'
import { contactTabs } from '../contacts/tabs.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type View, type Visit } from '../visit.ts'

const PAGE = 25
/** What is looked at to tell what a file is, and what stands between its cells, in bytes. */
const SNIFFED = 64 * 1024

/** Files of contacts: a new one, and what became of the last. */
export async function importsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, query } = visit
  const { say, write } = visit.wording
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { rows, nextCursor } = await listImports(db, principal.tenantId, page)
  return {
    title: say('importsTitle'),
    body: html`${pageHead(say('importsTitle'), null, say('importsIntro'))}
${contactTabs(visit)}
${card(
  say('importNew'),
  form(visit, { action: '/console/contacts/imports', files: true }, [
    field(visit, {
      name: 'file',
      type: 'file',
      label: say('importFile'),
      accept: '.csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values',
      required: true,
      help: say('importFileHelp', { size: writeSize(MAX_FILE_SIZE, visit.wording.locale) }),
      again,
    }),
    buttons(button(say('importLook'))),
  ]),
)}
${table({
  caption: say('importsLast'),
  columns: [
    { label: say('importFileName') },
    { label: say('importState') },
    { label: say('importCreated'), kind: 'number' },
    { label: say('importUpdated'), kind: 'number' },
    { label: say('importRefused'), kind: 'number' },
    { label: say('importBy') },
    { label: say('contactAdded') },
  ],
  rows: rows.map((row): Insert[] => [
    html`<a href="${visit.href(`/console/contacts/imports/${row.id}`)}">${row.fileName}</a>`,
    stateOf(visit, row),
    write(row.created),
    write(row.updated),
    write(row.refused),
    row.userName,
    time(visit, row.createdAt),
  ]),
  empty: say('importsNone'),
})}
${pager(visit, nextCursor)}`,
  }
}

const states = {
  draft: ['importDraft', 'neutral'],
  running: ['importRunning', 'accent'],
  done: ['importDone', 'good'],
  cancelled: ['importCancelled', 'warn'],
  failed: ['importFailed', 'bad'],
} as const

export function stateOf({ wording }: View, { state }: Import): Insert {
  const [word, tone] = states[state]
  return badge(wording.say(word), tone)
}

/** Stores a file, and leads to where it is said what becomes of it. */
export async function upload(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { deps, principal, at } = visit
  const { tenantId } = principal
  const file = sent.file('file')
  if (!file || file.size === 0) throw refuse(say('importEmpty'), 'file')
  const bytes = new Uint8Array(await file.arrayBuffer())
  // Text has no signature; spreadsheets' own files have.
  const { fileTypeFromBuffer } = await import('file-type')
  const type = await fileTypeFromBuffer(bytes.subarray(0, SNIFFED)).catch(() => undefined)
  if (type && !type.mime.startsWith('text/')) throw refuse(say('importNoText'), 'file')
  await checkRoom(deps, bytes.length)
  const encoding = await recogniseEncoding(bytes)
  let start = ''
  for await (const text of textOf(one(bytes.subarray(0, SNIFFED)), encoding)) start += text
  const delimiter = recogniseDelimiter(start)
  const lines = await countLines(one(bytes), encoding)
  const id = newId(at)
  const { size, sha256 } = await deps.files.store({ kind: 'contact_imports', tenantId, id }, one(bytes), MAX_FILE_SIZE)
  const draft = { id, fileName: displayName(file.name), size, sha256, encoding, delimiter, lines }
  await visit.change((tx, caller) => draftImport(tx, caller, draft))
  return redirectTo(`/console/contacts/imports/${id}`)
}
