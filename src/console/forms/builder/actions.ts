import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { invalid, notFound, rule } from '../../../errors.ts'
import type { FormDraft } from '../../../forms/drafts.ts'
import * as editing from '../../../forms/editing.ts'
import { addEnd, moveEnd, removeEnd } from '../../../forms/editing-logic.ts'
import { formRecordOf } from '../../../forms/operations.ts'
import { publishForm } from '../../../forms/publishing.ts'
import { questionTypeNames } from '../../../forms/question-types/index.ts'
import { discardDraft, redoEdit, undoEdit } from '../../../forms/undoing.ts'
import type { FormFields } from '../../form-fields.ts'
import { type Redirect, redirectTo, type Visit } from '../../visit.ts'
import type { ConsoleWords } from '../../words/index.ts'
import { starterOf } from './beginning/starters.ts'
import { changeDraft } from './changing.ts'
import { buildPath, type Placed, placedQuestions } from './draft.ts'
import { newEnd } from './logic/ends.ts'

type Did = Extract<keyof ConsoleWords, `did_${string}`>

/** What a button does with the form. */
interface Doing {
  readonly visit: Visit
  readonly tx: Tx
  readonly caller: Caller
  readonly edited: editing.Edited
  readonly draft: FormDraft
  readonly sent: FormFields
  /** What stands behind the word in the button's value: ids, mostly. */
  readonly rest: readonly string[]
}

/** What is said of it, what is worked on then, and the place of the page that shows it. */
interface Done {
  readonly said: Did
  readonly show?: string
  readonly place?: string
}

/** What the buttons of the builder do, by the first word of their value. */
const operations: Readonly<Record<string, (doing: Doing) => Promise<Done>>> = {
  add,
  up: (doing) => step(doing, -1),
  down: (doing) => step(doing, 1),
  move,
  async duplicate(doing) {
    const { tx, caller, edited, draft } = doing
    const next = await editing.duplicateQuestion(tx, caller, edited, idIn(doing))
    return { said: 'did_question_duplicated', show: `question-${newQuestion(draft, next)}` }
  },
  async remove(doing) {
    const { tx, caller, edited } = doing
    await editing.removeQuestion(tx, caller, edited, idIn(doing))
    return { said: 'did_question_removed', place: 'outline' }
  },
  async 'page-add'({ tx, caller, edited }) {
    const { pages } = await editing.addPage(tx, caller, edited)
    return { said: 'did_page_added', show: `page-${pages.at(-1)?.id}` }
  },
  'page-up': (doing) => stepPage(doing, -1),
  'page-down': (doing) => stepPage(doing, 1),
  async 'page-duplicate'(doing) {
    const { tx, caller, edited } = doing
    await editing.duplicatePage(tx, caller, edited, idIn(doing))
    return { said: 'did_page_duplicated', place: 'outline' }
  },
  async 'page-remove'(doing) {
    const { tx, caller, edited } = doing
    await editing.removePage(tx, caller, edited, idIn(doing))
    return { said: 'did_page_removed', place: 'outline' }
  },
  async 'end-add'({ visit, tx, caller, edited, draft }) {
    const form = await formRecordOf(tx, caller.tenantId, edited.formId)
    const next = await addEnd(tx, caller, edited, newEnd(visit, { form, draft }))
    return { said: 'did_end_added', show: `end-${next.ends.length}` }
  },
  'end-up': (doing) => stepEnd(doing, -1),
  'end-down': (doing) => stepEnd(doing, 1),
  async 'end-remove'(doing) {
    const { tx, caller, edited } = doing
    await removeEnd(tx, caller, edited, idIn(doing) - 1)
    return { said: 'did_end_removed', show: '', place: 'outline' }
  },
  async undo({ tx, caller, edited }) {
    await undoEdit(tx, caller, edited)
    return { said: 'did_undo', place: 'outline' }
  },
  async redo({ tx, caller, edited }) {
    await redoEdit(tx, caller, edited)
    return { said: 'did_redo', place: 'outline' }
  },
  async discard({ tx, caller, edited }) {
    await discardDraft(tx, caller, edited)
    return { said: 'did_changes_discarded', place: 'outline' }
  },
}

/** Does what a button of the builder says, to the draft that its page showed. */
export async function act(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const [word = '', ...rest] = sent.text('do').split(' ')
  const formId = visit.params.id ?? ''
  const edited = { formId, expected: Number(sent.text('version')) }
  if (word === 'publish') {
    await changeDraft(visit, sent, (tx, caller) => publishForm(tx, caller, formId, edited.expected))
    return redirectTo(`/console/forms/${formId}`, say('formPublishedNow'))
  }
  const done = await changeDraft(visit, sent, async (tx, caller, draft) => {
    const operation = Object.hasOwn(operations, word) ? operations[word] : undefined
    if (!operation) throw invalid('do', rule('one_of', { choices: Object.keys(operations).join(', ') }))
    return operation({ visit, tx, caller, edited, draft, sent, rest })
  })
  const path = buildPath(formId, done.show ?? (sent.text('show') || undefined)).replace(/#.*/, '')
  return redirectTo(`${path}#${done.place ?? 'pane'}`, say(done.said))
}

async function add({ visit, tx, caller, edited, draft, sent, rest: [given] }: Doing): Promise<Done> {
  const type = questionTypeNames.find((name) => name === given)
  if (!type) throw invalid('do', rule('one_of', { choices: questionTypeNames.join(', ') }))
  const behind = placedQuestions(draft).find(({ question }) => String(question.id) === sent.text('after'))
  const page = behind?.page ?? draft.pages.find(({ id }) => String(id) === sent.text('page')) ?? draft.pages.at(-1)
  const question = starterOf(visit.wording.say, type)
  const at = behind && behind.at + 1
  const next = await editing.addQuestion(tx, caller, edited, { pageId: page?.id as number, at, question })
  return { said: 'did_question_added', show: `question-${newQuestion(draft, next)}` }
}

/** To a page and a place on it, or to the end of the page that was chosen. */
async function move(doing: Doing): Promise<Done> {
  const { tx, caller, edited, sent, rest } = doing
  const [, page = sent.text('page'), place] = rest
  const at = place === undefined ? undefined : Number(place)
  await editing.moveQuestion(tx, caller, edited, idIn(doing), { pageId: Number(page), at })
  return { said: 'did_question_moved', place: `row-${idIn(doing)}` }
}

/** Up or down by one, and over the edge of its page onto the next; the first and the last stay where they are. */
async function step(doing: Doing, by: 1 | -1): Promise<Done> {
  const { tx, caller, edited, draft } = doing
  const { question, page, at } = placedIn(doing)
  const done: Done = { said: 'did_question_moved', place: `row-${question.id}` }
  const isOnPage = at + by >= 0 && at + by < page.questions.length
  const next = isOnPage ? page : draft.pages[draft.pages.indexOf(page) + by]
  if (!next) return done
  const place = isOnPage ? at + by : by === 1 ? 0 : next.questions.length
  await editing.moveQuestion(tx, caller, edited, question.id, { pageId: next.id, at: place })
  return done
}

async function stepPage(doing: Doing, by: 1 | -1): Promise<Done> {
  const { tx, caller, edited, draft } = doing
  const id = idIn(doing)
  const at = draft.pages.findIndex((page) => page.id === id)
  if (at === -1) throw notFound('page')
  if (draft.pages[at + by]) await editing.movePage(tx, caller, edited, id, at + by)
  return { said: 'did_page_moved', place: 'outline' }
}

async function stepEnd(doing: Doing, by: 1 | -1): Promise<Done> {
  const { tx, caller, edited, draft } = doing
  const at = idIn(doing) - 1
  if (draft.ends[at] && draft.ends[at + by]) await moveEnd(tx, caller, edited, at, at + by)
  return { said: 'did_end_moved', show: `end-${at + 1 + by}`, place: 'outline' }
}

const idIn = ({ rest: [id] }: Doing) => Number(id)

function placedIn(doing: Doing): Placed {
  const id = idIn(doing)
  const placed = placedQuestions(doing.draft).find(({ question }) => question.id === id)
  if (!placed) throw notFound('question')
  return placed
}

/** The id of the question that `next` has and `before` has not. */
function newQuestion(before: FormDraft, next: FormDraft): number {
  const known = new Set(placedQuestions(before).map(({ question }) => question.id))
  return placedQuestions(next).find(({ question }) => !known.has(question.id))?.question.id as number
}
