import { Type } from '@sinclair/typebox'
import { errors, noQuery, problem, strictObject, uploadBody } from '../http/requests/schemas.ts'
import { Continue, Definition, Later, LinkSending, Pay, PayAt, Start, Started, Uploaded } from './model.ts'

/*
 * What each route of the collection API takes and answers, as its documentation says it. Made anew for every app, since
 * Elysia writes into what it is given: it takes the scope out and adds what the scope asks for.
 */

export const getFormDefinition = () =>
  ({
    scope: 'public',
    query: strictObject({
      lang: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'BCP 47: the language of the texts. One that the form does not have gives its own.',
          examples: ['de'],
        }),
      ),
    }),
    response: { 200: Definition, ...errors(404) },
    detail: {
      operationId: 'getFormDefinition',
      summary: 'Read a form to fill in',
      description:
        'For headless clients, which ask the questions themselves. The formula of a payment is left out: the service ' +
        'computes the amount.',
    },
  }) as const

export const beginResponse = () =>
  ({
    scope: 'public',
    query: noQuery,
    body: Start,
    response: {
      201: Started,
      400: problem('invalid_request', 'answers[0] (question 11): must be between 0 and 10'),
      ...errors(404, 409, 413),
    },
    detail: {
      operationId: 'beginResponse',
      summary: 'Begin a response',
      description:
        'Complete at once, or partial and gone on with later. Completing checks every answer against its question; ' +
        'saving a part checks the shape of what is given.',
    },
  }) as const

export const continueResponse = () =>
  ({
    scope: 'public',
    query: noQuery,
    body: Continue,
    response: {
      200: Started,
      ...errors(404, 413),
      409: problem('conflict', 'the response is complete and cannot be changed'),
    },
    detail: {
      operationId: 'continueResponse',
      summary: 'Go on with a response',
      description:
        'Begin one first (`POST /f/{launchCode}/responses` with `complete: false`): its answer has the `id` and the ' +
        '`resumeToken` that this takes. Answers given replace those stored. A wrong token is a 404.',
    },
  }) as const

export const askForLink = () =>
  ({
    scope: 'public',
    query: noQuery,
    body: Later,
    response: {
      202: LinkSending,
      400: problem('invalid_request', 'email: must be an email address'),
      ...errors(404, 413),
      409: problem('conflict', 'the response is complete and cannot be changed'),
      422: problem('unprocessable', 'this form offers no link to go on with later'),
    },
    detail: {
      operationId: 'mailResponseLink',
      summary: 'Mail a link to go on with later',
      description:
        'For a partial response to a form whose settings offer it: mails a link to the form’s page with what is answered, ' +
        'which works for 30 days. An address is sent at most five mails a day by one company’s forms, then 429.',
    },
  }) as const

export const payResponse = () =>
  ({
    scope: 'public',
    query: noQuery,
    body: Pay,
    response: {
      200: PayAt,
      ...errors(404, 413),
      409: problem('conflict', 'the response has to be completed before it can be paid'),
      422: problem('unprocessable', 'there is nothing to pay'),
      502: problem('delivery_failed', 'the payment provider could not be reached: try again in a moment'),
    },
    detail: {
      operationId: 'payResponse',
      summary: 'Pay for a response',
      description:
        'Gives the page of the payment provider for a complete response that owes something: to a form that asks for a ' +
        'payment, begun with `complete: true`, whose answer has the `id` and the `resumeToken` that this takes. A service ' +
        'without a payment provider (`FRONTDESK_STRIPE_KEY`) answers 409.',
    },
  }) as const

export const uploadFile = () =>
  ({
    scope: 'public',
    query: noQuery,
    response: {
      201: Uploaded,
      ...errors(404, 409),
      413: problem('invalid_request', 'file: must be at most 10 MiB'),
    },
    detail: {
      operationId: 'uploadFile',
      summary: 'Upload a file',
      description:
        'One file, as the part `file`. The `uploadId` is then the answer: `[{"slot": 0, "uploadId": "…"}]` of a ' +
        'file_upload question, with an entry for each of several files of one slot, `{"uploadId": "…"}` of a signature.',
      requestBody: uploadBody,
    },
  }) as const
