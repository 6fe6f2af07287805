import { createCustomField } from '../../contacts/fields/custom-fields.ts'
import { type Import, startImport } from '../../contacts/imports/operations.ts'
import { recogniseColumns } from '../../contacts/imports/recognise.ts'
import { firstRecords, openImport } from '../../contacts/imports/sample.ts'
import { type CustomField, listCustomFields } from '../../contacts/rows.ts'
import { RuleError } from '../../errors.ts'
import {
  type ColumnTarget,
  contactColumns,
  type Delimiter,
  delimiters,
  type Encoding,
  encodings,
  existingRules,
  type ImportPlan,
  MAX_COLUMNS,
  valueKinds,
} from '../../kinds/contact-imports.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { countLines } from '../../lib/text/file-text.ts'
import { backLink, card, pageHead } from '../components/display.ts'
import { button, buttons, checkbox, confirmed, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import { groupFields } from '../contacts/edit.ts'
import type { FormFields } from '../form-fields.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'

/** Records shown as they are read. */
const SHOWN = 5
/** What of a column's values stands beside it, in characters. */
const SAMPLE = 80

/** How a file is read: as it was recognised, or as somebody chose. */
interface Reading {
  readonly encoding: Encoding
  readonly delimiter: Delimiter
}

/** What a file holds, and what is to become of it. */
export async function planPage(visit: Visit, draft: Import, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const chosen = again ? (name: string) => again.form.exact(name) : (name: string) => visit.query.get(name) ?? ''
  const reading = readingOf(draft, chosen)
  const records = await recordsOf(visit, draft, reading)
  const path = `/console/contacts/imports/${draft.id}`
  return {
    title: draft.fileName,
    body: html`${backLink(visit, '/console/contacts/imports', say('importsTitle'))}
${pageHead(draft.fileName, null, say('importLines', { count: draft.lines }))}
${readingForm(visit, path, reading)}
${firstLines(visit, records)}
${card(say('importColumns'), form(visit, { action: path }, await planFields(visit, records, reading, again)))}
${confirmed(visit, { label: say('importDiscard'), question: say('importDiscardQuestion'), action: `${path}/cancel` })}`,
  }
}

function readingOf(draft: Import, chosen: (name: string) => string): Reading {
  const [encoding, delimiter] = [chosen('encoding'), chosen('delimiter')]
  return {
    encoding: encodings.find((known) => known === encoding) ?? draft.encoding,
    delimiter: delimiters.find((known) => wordOf(known) === delimiter) ?? draft.delimiter,
  }
}

const wordOf = (delimiter: Delimiter) => ({ ',': 'comma', ';': 'semicolon', '\t': 'tab' })[delimiter]

async function recordsOf({ deps, principal }: Visit, { id }: Import, reading: Reading) {
  const content = await openImport(deps.files, { tenantId: principal.tenantId, id })
  return firstRecords(content, reading)
}

/** Looks at the file once more, in another way. */
function readingForm(visit: Visit, path: string, { encoding, delimiter }: Reading) {
  const { say } = visit.wording
  return html`<form method="get" action="${visit.href(path)}" class="filters">${select(visit, {
    name: 'encoding',
    label: say('importEncoding'),
    options: encodings.map((known) => [known, say(`encoding_${known}`)] as const),
    value: encoding,
  })}${select(visit, {
    name: 'delimiter',
    label: say('importDelimiter'),
    options: delimiters.map((known) => [wordOf(known), say(`delimiter_${wordOf(known) as 'comma'}`)] as const),
    value: wordOf(delimiter),
  })}<div class="buttons">${button(say('importLookAgain'), { kind: 'secondary' })}</div></form>`
}

function firstLines(visit: Visit, records: readonly (readonly string[])[]) {
  const { say } = visit.wording
  const [first = [], ...rest] = records
  const columns = first.slice(0, MAX_COLUMNS)
  return html`<div class="sheet">${table({
    caption: say('importFirstLines'),
    isGrid: true,
    columns: columns.map((label) => ({ label: shortened(label) })),
    rows: rest.slice(0, SHOWN).map((cells) => columns.map((_, index) => shortened(cells[index] ?? ''))),
    empty: say('importNothing'),
  })}</div>`
}

function shortened(text: string): string {
  const characters = [...text.slice(0, 4 * SAMPLE)]
  return characters.length <= SAMPLE ? text : `${characters.slice(0, SAMPLE).join('')}…`
}

async function planFields(
  visit: Visit,
  records: readonly (readonly string[])[],
  { encoding, delimiter }: Reading,
  again?: Again,
): Promise<Insert> {
  const { say } = visit.wording
  const fields = await listCustomFields(visit.db, visit.principal.tenantId)
  const { hasHeadings, columns } = recogniseColumns(records, fields)
  const options = targets(visit, fields)
  const [first = []] = records
  return [
    html`<input type="hidden" name="encoding" value="${encoding}"><input type="hidden" name="delimiter" value="${wordOf(delimiter)}">`,
    checkbox(visit, { name: 'hasHeadings', label: say('importHasHeadings'), checked: hasHeadings, again }),
    html`<div class="mapping">${first.slice(0, MAX_COLUMNS).map((heading, index) => {
      const samples = records
        .slice(Number(hasHeadings), 4)
        .map((cells) => cells[index] ?? '')
        .filter(Boolean)
      return select(visit, {
        name: `columns[${index}]`,
        label: (hasHeadings && shortened(heading.trim())) || say('importColumn', { number: index + 1 }),
        options,
        value: columns[index] ?? '',
        help: shortened(samples.join(' · ')) || say('importNoValues'),
        again,
      })
    })}</div>`,
    select(visit, {
      name: 'existing',
      label: say('importExisting'),
      options: existingRules.map((rule) => [rule, say(`existing_${rule}`)] as const),
      value: 'update',
      help: say('importExistingHelp'),
      again,
    }),
    await groupsOf(visit, again),
    buttons(button(say('importStart'))),
  ]
}

/** Groups that everybody in the file is to join. */
async function groupsOf(visit: Visit, again?: Again): Promise<Insert> {
  const boxes = await groupFields(visit, null, again)
  return boxes && html`<p class="help">${visit.wording.say('importGroups')}</p>${boxes}`
}

function targets({ wording: { say } }: Visit, fields: readonly CustomField[]) {
  return [
    ['', say('importLeaveOut')] as const,
    ...contactColumns.map((target) => [target, say(columnWords[target])] as const),
    ...fields.flatMap(({ id, name, type }) =>
      (type ? [type] : valueKinds).map(
        (kind) => [`${kind}:${id}`, say('importField', { name, kind: say(kindWords[kind]) })] as const,
      ),
    ),
    ...valueKinds.map((kind) => [`${kind}:new`, say('importNewField', { kind: say(kindWords[kind]) })] as const),
  ]
}

export const columnWords = {
  email: 'contactEmail',
  name: 'contactFirstName',
  lastName: 'contactLastName',
  phone: 'contactPhone',
  organisation: 'contactOrganisation',
  groups: 'contactGroups',
  unsubscribed: 'contactUnsubscribed',
} as const

const kindWords = { text: 'contactText', number: 'contactNumberKind', date: 'contactDateKind' } as const

/** Begins to take the file in, as the form says. */
export async function start(visit: Visit, draft: Import, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { deps, principal } = visit
  const reading = readingOf(draft, (name) => sent.exact(name))
  const records = await recordsOf(visit, draft, reading)
  const [headings = []] = records
  if (headings.length > MAX_COLUMNS) throw refuse(say('importTooWide', { count: MAX_COLUMNS }))
  const existing = existingRules.find((rule) => rule === sent.text('existing')) ?? 'skip'
  const groupIds = sent.texts('groupIds').map(Number).filter(Number.isSafeInteger)
  const chosen = headings.map((_, index) => sent.text(`columns[${index}]`))
  const content = await openImport(deps.files, { tenantId: principal.tenantId, id: draft.id })
  const lines = reading.encoding === draft.encoding ? draft.lines : await countLines(content, reading.encoding)
  await orTaken(visit, () =>
    visit.change(async (tx, caller) => {
      const columns: (ColumnTarget | null)[] = []
      for (const [index, target] of chosen.entries()) {
        const kind = valueKinds.find((one) => target === `${one}:new`)
        const name = sent.has('hasHeadings') ? (headings[index] ?? '').trim() : ''
        const fallback = say('importColumn', { number: index + 1 })
        const made = kind && (await createCustomField(tx, caller, { name: name.slice(0, 255) || fallback, type: kind }))
        columns.push(made ? (`${kind}:${made.id}` as ColumnTarget) : targetOf(target))
      }
      const plan: ImportPlan = { hasHeadings: sent.has('hasHeadings'), columns, existing, groupIds }
      await startImport(tx, caller, draft.id, { ...reading, plan, lines })
    }),
  )
  return redirectTo(`/console/contacts/imports/${draft.id}`, say('importStarted'))
}

function targetOf(text: string): ColumnTarget | null {
  const isField = /^(text|number|date):[0-9a-f-]{36}$/.test(text)
  return isField || (contactColumns as readonly string[]).includes(text) ? (text as ColumnTarget) : null
}

async function orTaken<T>({ wording }: Visit, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isTaken = error instanceof RuleError && error.rule.key === 'custom_field_taken'
    if (!isTaken) throw error
    throw new Refusal({ field: null, text: wording.say('fieldTaken') }, 409)
  }
}
