import { Elysia } from 'elysia'
import { respondentCaller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { invalid, rule } from '../errors.ts'
import type { StoredFile } from '../files/content.ts'
import { typeByName } from '../files/content.ts'
import { getForm } from '../forms/operations.ts'
import { askedPages } from '../forms/pages.ts'
import { api } from '../http/api.ts'
import { clientOf } from '../http/context.ts'
import { CORS, PREFLIGHT } from '../http/cors.ts'
import { errors, noQuery, problem } from '../http/schemas.ts'
import { type Answer, ok, writer } from '../http/write.ts'
import { openCheckout } from '../payments/checkout.ts'
import { stripeClient } from '../payments/stripe.ts'
import { uploadLimits } from '../uploads/limits.ts'
import type { FilePart } from '../uploads/multipart.ts'
import { addUpload } from '../uploads/operations.ts'
import { receiveUpload } from '../uploads/receive.ts'
import { findLaunched, findPublished, type Launched, takesFiles } from './launch.ts'
import { Continue, Definition, Pay, PayAt, Start, Started, Uploaded, uploadBody } from './model.ts'
import { continueHosted, startHosted } from './operations.ts'
import { toldToPage } from './refused.ts'

/** The collection API for hosted pages and headless clients: `/f/{launchCode}/…` (decisions §6). */
export function collectionRoutes(deps: Deps) {
  const { db } = deps.database
  const { stripe } = deps.config
  const getStripe = stripe && stripeClient(stripe)
  const admitUpload = uploadLimits(deps)
  const { writeAs } = writer(deps)
  const preflight = () => new Response(null, { status: 204, headers: PREFLIGHT })
  const respondentOf = ({ tenantId }: Launched) => respondentCaller(tenantId, deps.clock.now())

  return new Elysia({ prefix: '/f/:launchCode', tags: ['Collection'] })
    .use(api(deps))
    .onTransform(({ set }) => {
      Object.assign(set.headers, CORS)
    })
    .options('/definition', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses/:id', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses/:id/checkout', preflight, { scope: 'public', detail: { hide: true } })
    .options('/uploads', preflight, { scope: 'public', detail: { hide: true } })
    .get(
      '/definition',
      async ({ params }) => {
        const { tenantId, formId } = await findLaunched(db, params.launchCode, deps.clock.now())
        const { title, description, pages } = await getForm(db, tenantId, formId)
        return { title, description, pages: askedPages(pages) }
      },
      {
        scope: 'public',
        query: noQuery,
        response: { 200: Definition, ...errors(404) },
        detail: {
          operationId: 'getFormDefinition',
          summary: 'Read a form to fill in',
          description:
            'For headless clients, which ask the questions themselves. The formula of a payment is left out: the service ' +
            'computes the amount.',
        },
      },
    )
    .post(
      '/responses',
      async ({ request, params, body }) => {
        const launched = await findLaunched(db, params.launchCode, deps.clock.now())
        const caller = respondentOf(launched)
        return writeAs(caller, request, async (tx) => {
          const start = () => startHosted(tx, caller, launched.formId, body)
          return { status: 201, body: await toldToPage(Boolean(body.page), start) }
        })
      },
      {
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
      },
    )
    .put(
      '/responses/:id',
      async ({ request, params, body }) => {
        const launched = await findPublished(db, params.launchCode)
        const caller = respondentOf(launched)
        return writeAs(caller, request, async (tx) =>
          ok(await toldToPage(Boolean(body.page), () => continueHosted(tx, caller, launched.formId, params.id, body))),
        )
      },
      {
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
      },
    )
    .post(
      '/responses/:id/checkout',
      async ({ params, body: { resumeToken } }) => {
        const launched = await findPublished(db, params.launchCode)
        const own = { id: params.id, resumeToken }
        // Without Idempotency-Key: asking again gives the same page anyway, and one that was kept could have expired.
        return { url: await openCheckout(deps, getStripe, respondentOf(launched), launched.formId, own) }
      },
      {
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
      },
    )
    .post(
      '/uploads',
      async ({ request, params }) => {
        const launched = await findLaunched(db, params.launchCode, deps.clock.now())
        if (!(await takesFiles(db, launched))) throw invalid('file', rule('no_file_question'))
        const admission = await admitUpload(clientOf(request), declaredLength(request))
        const caller = respondentOf(launched)
        const record = (id: string, { fileName, stored }: FilePart<StoredFile>) => {
          const keep = async (tx: Tx): Promise<Answer<{ uploadId: string }>> => {
            const contentType = typeByName(stored, fileName)
            const upload = { ...stored, contentType, id, formId: launched.formId, fileName }
            await addUpload(tx, caller, upload, admission.sender)
            return { status: 201, body: { uploadId: id } }
          }
          return writeAs(caller, request, keep, { content: { fileName, sha256: stored.sha256 } })
        }
        return receiveUpload(request, caller, deps.files, admission, record).finally(admission.end)
      },
      {
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
            'file_upload question, `{"uploadId": "…"}` of a signature.',
          requestBody: uploadBody,
        },
      },
    )
}

/** What a request says of the length of its body, in bytes; null where it says nothing. */
function declaredLength({ headers }: Request): number | null {
  const length = headers.get('content-length')
  return length === null ? null : Number(length)
}
