import { getImport, type Import, listRefusedLines, type RefusedLine } from '../../contacts/imports/operations.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { streamOf } from '../../lib/stream.ts'
import { CSV_START, csvLine } from '../../lib/text/csv.ts'
import { shortened } from '../../lib/text/one-line.ts'
import { backLink, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { confirmed } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import { asSentence, sayRule } from '../rules.ts'
import type { PageContent, View, Visit } from '../visit.ts'
import { stateOf } from './list.ts'
import { columnWords } from './plan.ts'

/** Seconds after which the page of a file that is being taken in looks again, by itself. */
const AGAIN = '3'
/** Refused lines that the page shows; the file to download has all. */
const SHOWN = 100
const STEP = 500
/** What of a line is shown, in characters. */
const CONTENT = 160

/** How far a file has come, and which of its lines were refused. */
export async function progressPage(visit: Visit, found: Import): Promise<PageContent> {
  const { db, principal } = visit
  const { say } = visit.wording
  const isRunning = found.state === 'running'
  const refused = await listRefusedLines(db, principal.tenantId, found.id, { after: 0, limit: SHOWN })
  const path = `/console/contacts/imports/${found.id}`
  return {
    title: found.fileName,
    ...(isRunning && { headers: { refresh: AGAIN } }),
    body: html`${backLink(visit, '/console/contacts/imports', say('importsTitle'))}
${pageHead(found.fileName, stateOf(visit, found))}
${card(say('importProgress'), [progress(visit, found), isRunning && confirmed(visit, { label: say('importCancel'), question: say('importCancelQuestion'), action: `${path}/cancel` })])}
${found.refused > 0 && card(say('importRefusedLines'), refusedTable(visit, found, refused), { actions: linkButton(visit, `${path}/refused.csv`, say('importDownload'), 'secondary') })}`,
  }
}

function progress(visit: Visit, found: Import): Insert {
  const { say, write } = visit.wording
  const { state, doneLines, lines, created, updated, unchanged, refused, userName, createdAt, endedAt } = found
  const done = say('importDoneLines', { done: doneLines, count: lines })
  return html`<p><progress class="wide" max="${Math.max(lines, 1)}" value="${state === 'done' ? Math.max(lines, 1) : doneLines}" aria-label="${say('importProgress')}"></progress></p>
<p>${done}${state === 'failed' && html` ${say('importFailedWhy')}`}</p>
${definitions([
  [say('importCreated'), write(created)],
  [say('importUpdated'), write(updated)],
  [say('importUnchanged'), write(unchanged)],
  [say('importRefused'), write(refused)],
  [say('importBy'), userName],
  [say('contactAdded'), time(visit, createdAt)],
  [say('importEnded'), endedAt && time(visit, endedAt)],
])}`
}

function refusedTable(visit: Visit, { refused }: Import, lines: readonly RefusedLine[]): Insert {
  const { say, write } = visit.wording
  return html`<p class="help">${say('importRefusedHelp')} ${refused > lines.length && say('importRefusedFirst', { count: lines.length })}</p>
${table({
  caption: say('importRefusedLines'),
  hidesCaption: true,
  columns: [{ label: say('importLine') }, { label: say('importWhy') }, { label: say('importContent') }],
  rows: lines.map((line) => [
    write(line.line),
    html`<div class="reason">${reasonOf(visit, line)}</div>`,
    html`<code class="line">${shortened(line.content, CONTENT)}</code>`,
  ]),
  empty: '',
})}`
}

/** Why a line was refused, in the reader's language. */
function reasonOf({ wording }: View, { field, rule }: RefusedLine): string {
  const { say } = wording
  const sentence = typeof rule === 'string' ? asSentence(rule) : sayRule(wording, rule)
  const [, column] = /^columns\[(\d+)\]$/.exec(field ?? '') ?? []
  if (column) return say('importReason', { field: say('importColumn', { number: Number(column) + 1 }), rule: sentence })
  const word = columnWords[field as keyof typeof columnWords]
  return word ? say('importReason', { field: say(word), rule: sentence }) : sentence
}

/** All refused lines as a file: which, why, and what they say. */
export async function refusedFile(visit: Visit): Promise<Response> {
  const { db, principal, params } = visit
  const { id } = await getImport(db, principal.tenantId, params.id as string)
  return new Response(streamOf(refusedAsCsv(visit, id)), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="refused-${id}.csv"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
    },
  })
}

async function* refusedAsCsv(visit: Visit, id: string): AsyncGenerator<string> {
  const { db, principal, wording } = visit
  const { say } = wording
  yield CSV_START + csvLine([say('importLine'), say('importWhy'), say('importContent')])
  for (let after = 0; ; ) {
    const lines = await listRefusedLines(db, principal.tenantId, id, { after, limit: STEP })
    yield lines.map((line) => csvLine([String(line.line), reasonOf(visit, line), line.content])).join('')
    if (lines.length < STEP) return
    after = lines.at(-1)?.line ?? after
    await new Promise(setImmediate)
  }
}
