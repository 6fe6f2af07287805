import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { checkLanguage } from '../lib/language/languages.ts'
import { continueResponse, type Submission, startResponse } from '../responses/collection.ts'
import type { Response } from '../responses/model.ts'
import { TICKET_TOKEN, ticketOfToken } from '../satisfaction/token.ts'
import type { Secrets } from '../secrets/seal.ts'
import { findUploads, useUploads } from '../uploads/operations.ts'
import { checkPageProof } from './abuse.ts'
import { begunBy } from './later.ts'
import type { Continue, Start, Started } from './model.ts'

/**
 * Begins a response for a respondent (decisions §6): checks the proof of a hosted page, and gives the uploads among
 * the answers to the response. Throws what `startResponse` and `checkPageProof` throw.
 */
export async function startHosted(
  tx: Tx,
  caller: Caller,
  secrets: Pick<Secrets, 'mac'>,
  formId: string,
  body: Start,
): Promise<Started> {
  const submission = submissionOf(body, formId, caller, secrets)
  const ids = uploadIdsIn(submission)
  const lookup = await findUploads(tx, caller, { formId, responseId: null, ids })
  const { response, resumeToken, end } = await startResponse(tx, caller, formId, submission, lookup)
  if (ids.length > 0) await useUploads(tx, caller, response, uploadsOf(response))
  return { id: response.id, resumeToken, status: response.status, ...(end ?? NOT_YET) }
}

/** Goes on with a response, as `startHosted`. Throws what `continueResponse` and `checkPageProof` throw. */
export async function continueHosted(
  tx: Tx,
  caller: Caller,
  secrets: Pick<Secrets, 'mac'>,
  formId: string,
  id: string,
  body: Continue,
): Promise<Started> {
  const { resumeToken } = body
  const submission = submissionOf(body, formId, caller, secrets)
  const ids = uploadIdsIn(submission)
  const lookup = await findUploads(tx, caller, { formId, responseId: id, ids })
  const begun = begunBy(secrets, { tenantId: caller.tenantId, formId }, { id, resumeToken }, caller.at)
  const { response, end } = await continueResponse(tx, caller, formId, begun, submission, lookup)
  await useUploads(tx, caller, response, uploadsOf(response))
  return { id, resumeToken, status: response.status, ...(end ?? NOT_YET) }
}

/** The end of what goes on. */
const NOT_YET = { thanks: null, redirect: null }

function submissionOf(
  { answers, complete, page, hiddenFields, language }: Start,
  formId: string,
  { tenantId, at }: Caller,
  secrets: Pick<Secrets, 'mac'>,
): Submission {
  if (page && complete) checkPageProof(page, formId, at)
  const { token, others } = tokenIn(hiddenFields)
  return {
    // An answer without a value takes an earlier one back, as null does.
    answers: answers.map(({ questionId, value = null }) => ({ questionId, value })),
    complete: complete ?? false,
    hiddenFields: others,
    language: language == null ? undefined : checkLanguage(language),
    ticketId: token === null ? null : ticketOfToken(secrets, { tenantId, formId }, token),
  }
}

/** The token of a ticket travels as a hidden field does, and is none: no form declares it, nothing keeps it. */
function tokenIn(hiddenFields: unknown): { token: string | null; others: unknown } {
  if (!isObject(hiddenFields) || typeof hiddenFields[TICKET_TOKEN] !== 'string')
    return { token: null, others: hiddenFields }
  const { [TICKET_TOKEN]: token, ...others } = hiddenFields
  return { token: token as string, others }
}

/** Every `uploadId` that is sent as or in an answer; whether it belongs there is for the question to say. */
function uploadIdsIn({ answers }: Submission): string[] {
  return answers
    .flatMap(({ value }) => value)
    .flatMap((part) => (isObject(part) && typeof part.uploadId === 'string' ? [part.uploadId] : []))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** The uploads that a response's answers name, by the ids at the end of their addresses. */
function uploadsOf({ answers }: Response): string[] {
  return answers
    .filter(({ type }) => type === 'file_upload' || type === 'signature')
    .flatMap(({ value }) => value as { url: string }[] | { url: string })
    .map(({ url }) => url.slice(url.lastIndexOf('/') + 1))
}
