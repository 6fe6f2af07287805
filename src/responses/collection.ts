import type { Caller } from '../caller.ts'
import type { Contact } from '../contacts/model.ts'
import { getContact } from '../contacts/read.ts'
import { contactPayload } from '../contacts/rows.ts'
import { createOrFillContact } from '../contacts/upsert.ts'
import type { Reader, Tx } from '../db/index.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { isCollecting, notCollecting, takePlace } from '../forms/closing.ts'
import { logicOf } from '../forms/logic-input/logic-of.ts'
import { type FormRecord, formRecordOf } from '../forms/operations.ts'
import { type FormPage, questionsOf } from '../forms/pages.ts'
import {
  type ContactDetails,
  type NumberedQuestion,
  type ResponseScores,
  scoreResponse,
} from '../forms/question-types/index.ts'
import { type Revision, revisionOf } from '../forms/revisions.ts'
import { languageAmong, translatedInto } from '../forms/texts/read.ts'
import { hashOf } from '../lib/hash.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import {
  findRatedTicket,
  linkResponse,
  type RatedTicket,
  rateTicket,
  ticketOfResponse,
} from '../satisfaction/rating.ts'
import {
  acceptAnswers,
  type FindUpload,
  type GivenAnswer,
  type Merged,
  mergeAnswers,
  type StoredAnswer,
  storedAnswers,
} from './answers.ts'
import { type ShownEnd, shownEnd } from './ending.ts'
import { mergeHiddenFields, parseHiddenFields } from './hidden-fields.ts'
import type { Response } from './model.ts'
import { notify } from './notifications/operations.ts'
import { planCopy } from './notifications/to-respondents.ts'
import { type ResponseRow, showResponse } from './operations.ts'
import { timeToTell } from './partial.ts'
import { insertResponse, openResponse, updateResponse } from './rows.ts'

/** What a respondent sends: some answers, or with `complete` the last of them. */
export interface Submission {
  readonly answers: readonly GivenAnswer[]
  readonly complete: boolean
  /** By name, as they were sent. */
  readonly hiddenFields?: unknown
  /** What the respondent reads, BCP 47; one that the form does not have is its own. */
  readonly language?: string | undefined
  /** The ticket whose customer was sent the form, where a token of ours shows that (`satisfaction/token.ts`). */
  readonly ticketId?: string | null
}

/** What became of a submission. */
export interface Saved {
  readonly response: Response
  /** How the form ends for its respondent; null while the response is partial. */
  readonly end: ShownEnd | null
}

const noUploads: FindUpload = () => null

/**
 * Begins a response to a form that is published and active; with `complete` it is finished at once. `resumeToken` is
 * told to the respondent and to nobody else. Throws `not_found` for any other form, `invalid_request` naming the
 * question for an answer that breaks a rule (decisions §6).
 */
export async function startResponse(
  tx: Tx,
  caller: Caller,
  formId: string,
  submission: Submission,
  findUpload: FindUpload = noUploads,
): Promise<Saved & { resumeToken: string }> {
  const form = await formRecordOf(tx, caller.tenantId, formId)
  if (!isCollecting(form, caller.at)) throw notCollecting()
  const questions = questionsOf(form.pages)
  const accepted = acceptAnswers(questions, submission.answers, findUpload)
  const hiddenFields = mergeHiddenFields(form.settings.hidden, null, submission.hiddenFields)
  const asked = { questions, logic: logicOf(form), hidden: parseHiddenFields(hiddenFields) }
  const merged = mergeAnswers(asked, [], accepted, submission.complete)

  const resumeToken = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
  const { revision } = form
  const startedAt = formatTime(caller.at)
  const language = await languageRead(tx, caller, form, submission.language)
  const started = { id: newResponseId(caller.at), formId: form.id, revision, startedAt, hiddenFields, language }
  if (submission.complete) await takePlace(tx, caller, form)
  const ticket = await ticketIn(tx, caller, submission)
  const { row, contact } = await store(tx, caller, started, { questions, ticket, ...merged }, submission.complete)
  await insertResponse(tx).execute({ ...row, ...stored(caller, row), resumeTokenHash: hashOf(resumeToken) })
  if (ticket) await linkResponse(tx, caller, row.id, ticket)
  const { answers } = merged
  if (ticket && submission.complete) await rateTicket(tx, caller, row.id, ticket, { questions, answers })
  const response = await announce(tx, caller, form, row, form.pages, contact)
  return { response, end: await shownEnd(tx, caller.tenantId, form, form, response, merged), resumeToken }
}

/**
 * Continues a response, in the revision it was started in: answers given replace those stored, and with `complete` it is
 * finished, for good. Throws
 * `not_found` for a form that does not collect (any more) and for a wrong token, `conflict` for a complete response,
 * `invalid_request` naming the question.
 */
export async function continueResponse(
  tx: Tx,
  caller: Caller,
  formId: string,
  begun: BegunResponse,
  submission: Submission,
  findUpload: FindUpload = noUploads,
): Promise<Saved> {
  const form = await formRecordOf(tx, caller.tenantId, formId)
  const { id } = begun
  const own = await findOwn(tx, caller.tenantId, form.id, begun)
  // Who sent the last response that a form takes is not told that it is closed, should the answer have got lost.
  if (!isCollecting(form, caller.at) && own?.status !== 'complete') throw notCollecting()
  const since: Revision = own ? await revisionOf(tx, caller.tenantId, form, own.revision) : form
  const questions = questionsOf(since.pages)
  // Before it is said that there is no such response: a malformed request is one in any case (decisions §1).
  const accepted = acceptAnswers(questions, submission.answers, findUpload)
  const open = requireOpen(own)
  const hiddenFields = mergeHiddenFields(form.settings.hidden, open.hiddenFields, submission.hiddenFields)
  const asked = { questions, logic: logicOf(since), hidden: parseHiddenFields(hiddenFields) }
  const merged = mergeAnswers(asked, JSON.parse(open.answers) as StoredAnswer[], accepted, submission.complete)

  const { revision, startedAt } = open
  const language = submission.language ? await languageRead(tx, caller, form, submission.language) : open.language
  const started = { id, formId: form.id, revision, startedAt, hiddenFields, language }
  if (submission.complete) await takePlace(tx, caller, form)
  const ticket = (await ticketOfResponse(tx, caller.tenantId, id)) ?? (await ticketIn(tx, caller, submission))
  const { row, contact } = await store(tx, caller, started, { questions, ticket, ...merged }, submission.complete)
  await updateResponse(tx).execute({ ...row, ...stored(caller, row) })
  if (ticket) await linkResponse(tx, caller, id, ticket)
  const { answers } = merged
  if (ticket && submission.complete) await rateTicket(tx, caller, id, ticket, { questions, answers })
  const response = await announce(tx, caller, form, row, since.pages, contact)
  return { response, end: await shownEnd(tx, caller.tenantId, form, since, response, merged) }
}

/** The one of the form's languages that is meant. */
async function languageRead(
  tx: Tx,
  { tenantId }: Caller,
  form: FormRecord,
  wanted: string | undefined,
): Promise<string> {
  if (wanted === undefined || wanted === form.language) return form.language
  const others = await translatedInto(tx, tenantId, form.id)
  return languageAmong([form.language, ...others.map(({ language }) => language)], wanted) ?? form.language
}

async function ticketIn(tx: Tx, caller: Caller, { ticketId }: Submission): Promise<RatedTicket | null> {
  return ticketId ? findRatedTicket(tx, caller.tenantId, ticketId) : null
}

function requireOpen(own: OwnResponse | null): OwnResponse {
  if (!own) throw notFound('response')
  if (own.status === 'complete') throw refusal('conflict', rule('response_complete'))
  return own
}

type OwnResponse = Awaited<ReturnType<ReturnType<typeof openResponse>['execute']>>[number]

/** A response that was begun, by the one who says to have begun it. */
export interface BegunResponse {
  readonly id: string
  readonly resumeToken: string
  /** Whether it is a link's token that was looked at already (`later.ts`), and not the response's own. */
  readonly isLinked?: boolean
}

async function findOwn(
  db: Reader,
  tenantId: string,
  formId: string,
  { id, resumeToken, isLinked = false }: BegunResponse,
): Promise<OwnResponse | null> {
  const [found] = await openResponse(db).execute({ tenantId, formId, id })
  return found && (isLinked || found.resumeTokenHash === hashOf(resumeToken)) ? found : null
}

/** The response whose respondent the token shows one to be. Throws `not_found`, for a wrong token too. */
export async function findOwnResponse(...args: Parameters<typeof findOwn>): Promise<OwnResponse> {
  const own = await findOwn(...args)
  if (!own) throw notFound('response')
  return own
}

/** Sorts by the time the response was started, and looks like nothing that could be mistaken for another id. */
function newResponseId(at: number): string {
  return `r_${newId(at).replaceAll('-', '')}`
}

/** What was asked and answered, and the ticket it is about. */
interface Given extends Merged {
  readonly questions: readonly NumberedQuestion[]
  readonly ticket: RatedTicket | null
}

const unscored: ResponseScores = { total: 0, max: 0, percentage: null }

/** What a row has that nobody is shown. */
function stored({ tenantId, at }: Caller, { status, startedAt }: ResponseRow) {
  return { tenantId, tellAt: status === 'partial' ? formatTime(timeToTell(Date.parse(startedAt), at)) : null }
}

/** The row after a save. At completion that means scores, and a contact for the email among the answers. */
async function store(
  tx: Tx,
  caller: Caller,
  started: Pick<ResponseRow, 'id' | 'formId' | 'revision' | 'startedAt' | 'hiddenFields' | 'language'>,
  { questions, answers, decided, ticket }: Given,
  complete: boolean,
): Promise<{ row: ResponseRow; contact: Contact | null }> {
  const now = formatTime(caller.at)
  const stored = storedAnswers(questions, answers)
  const contact = complete
    ? ((await linkContact(tx, caller, questions, answers)) ?? (await contactOf(tx, caller, ticket)))
    : null
  const row: ResponseRow = {
    ...started,
    status: complete ? 'complete' : 'partial',
    submittedAt: complete ? now : null,
    updatedAt: now,
    contactId: contact?.id ?? null,
    scores: JSON.stringify(complete ? scoreResponse(questions, answers) : unscored),
    answers: stored,
    variables: JSON.stringify(decided.variables),
  }
  return { row, contact }
}

/** Creates or fills in the contact of the first email among the contact details (decisions §6). */
async function linkContact(
  tx: Tx,
  caller: Caller,
  questions: readonly NumberedQuestion[],
  answers: ReadonlyMap<number, unknown>,
): Promise<Contact | null> {
  for (const { id, type } of questions) {
    const details = type === 'contact_details' ? (answers.get(id) as ContactDetails | null | undefined) : null
    if (!details?.email) continue
    const { email, first_name: name, last_name: lastName, phone_number: phone } = details
    return createOrFillContact(tx, caller, { email, name, lastName, phone }, 'form')
  }
  return null
}

/** Whoever answers what they were sent is the ticket's customer, unless they say otherwise. */
async function contactOf(tx: Tx, { tenantId }: Caller, ticket: RatedTicket | null): Promise<Contact | null> {
  return ticket?.contactId ? getContact(tx, tenantId, ticket.contactId) : null
}

/** The response as the API shows it; a completed one is told of (decisions §6). */
async function announce(
  tx: Tx,
  caller: Caller,
  form: FormRecord,
  row: ResponseRow,
  pages: readonly FormPage[],
  contact: Contact | null,
): Promise<Response> {
  const response = showResponse(row, pages, form.language)
  if (row.status === 'complete') {
    await emit(tx, caller, 'response.created', {
      response,
      contact: contact && contactPayload(contact),
      scores: response.scores,
      form: { id: form.id, title: form.title, launchCode: form.launchCode },
    })
    await happen(tx, caller, 'response.completed', row.id)
    await notify(tx, caller, form, row.id)
    await planCopy(tx, caller, form, response)
  }
  return response
}
