import { Elysia } from 'elysia'
import { respondentCaller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Deps } from '../deps.ts'
import { invalid, rule } from '../errors.ts'
import type { StoredFile } from '../files/content.ts'
import { typeByName } from '../files/content.ts'
import { askedPages } from '../forms/pages.ts'
import { CORS, PREFLIGHT } from '../http/answers/cors.ts'
import { api } from '../http/api.ts'
import { clientOf } from '../http/context.ts'
import { type Answer, ok, writer } from '../http/idempotency/write.ts'
import { openCheckout } from '../payments/checkout.ts'
import { stripeClient } from '../payments/stripe.ts'
import { uploadLimits } from '../uploads/limits.ts'
import type { FilePart } from '../uploads/multipart.ts'
import { addUpload } from '../uploads/operations.ts'
import { declaredLength, receiveUpload } from '../uploads/receive.ts'
import { askForLink, begunBy } from './later.ts'
import { findLaunched, findPublished, type Launched, takesFiles } from './launch.ts'
import { formIn, languageAsked, withPresets } from './localised.ts'
import { continueHosted, startHosted } from './operations.ts'
import { toldToPage } from './refused.ts'
import * as schemas from './route-schemas.ts'

/** The collection API for hosted pages and headless clients: `/f/{launchCode}/…` (decisions §6). */
export function collectionRoutes(deps: Deps) {
  const { db } = deps.database
  const { stripe } = deps.config
  const getStripe = stripe && stripeClient(stripe)
  const upload = uploads(deps)
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
    .options('/responses/:id/later', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses/:id/checkout', preflight, { scope: 'public', detail: { hide: true } })
    .options('/uploads', preflight, { scope: 'public', detail: { hide: true } })
    .get(
      '/definition',
      async ({ params, query }) => {
        const launched = await findLaunched(db, params.launchCode, deps.clock.now())
        const { languages } = launched
        const language = languageAsked(launched, query.lang ?? null)
        const { title, description, pages, variables, ends } = await formIn(db, launched, language)
        const asked = askedPages(pages)
        const spoken = language === launched.language ? asked : withPresets(asked, language)
        return { title, description, language, languages: [...languages], pages: spoken, variables, ends }
      },
      schemas.getFormDefinition(),
    )
    .post(
      '/responses',
      async ({ request, params, body }) => {
        const launched = await findLaunched(db, params.launchCode, deps.clock.now())
        const caller = respondentOf(launched)
        return writeAs(caller, request, async (tx) => {
          const start = () => startHosted(tx, caller, deps.secrets, launched.formId, body)
          return { status: 201, body: await toldToPage(Boolean(body.page), start) }
        })
      },
      schemas.beginResponse(),
    )
    .put(
      '/responses/:id',
      async ({ request, params, body }) => {
        const launched = await findPublished(db, params.launchCode)
        const caller = respondentOf(launched)
        return writeAs(caller, request, async (tx) =>
          ok(
            await toldToPage(Boolean(body.page), () =>
              continueHosted(tx, caller, deps.secrets, launched.formId, params.id, body),
            ),
          ),
        )
      },
      schemas.continueResponse(),
    )
    .post(
      '/responses/:id/checkout',
      async ({ params, body: { resumeToken } }) => {
        const launched = await findPublished(db, params.launchCode)
        const own = begunBy(deps.secrets, launched, { id: params.id, resumeToken }, deps.clock.now())
        // Without Idempotency-Key: asking again gives the same page anyway, and one that was kept could have expired.
        return { url: await openCheckout(deps, getStripe, respondentOf(launched), launched.formId, own) }
      },
      schemas.payResponse(),
    )
    .post(
      '/responses/:id/later',
      async ({ request, params, body: { resumeToken, email } }) => {
        const launched = await findPublished(db, params.launchCode)
        const caller = respondentOf(launched)
        const own = begunBy(deps.secrets, launched, { id: params.id, resumeToken }, caller.at)
        return writeAs(caller, request, async (tx) => {
          await askForLink(tx, caller, launched.formId, own, email)
          return { status: 202, body: { status: 'sending' as const } }
        })
      },
      schemas.askForLink(),
    )
    .post(
      '/uploads',
      async ({ request, params }) => upload(request, await findLaunched(db, params.launchCode, deps.clock.now())),
      schemas.uploadFile(),
    )
}

/** Takes in the file that a request carries, for a form that asks for one. */
function uploads(deps: Deps) {
  const admitUpload = uploadLimits(deps)
  const { writeAs } = writer(deps)
  return async (request: Request, launched: Launched) => {
    if (!(await takesFiles(deps.database.db, launched))) throw invalid('file', rule('no_file_question'))
    const admission = await admitUpload(clientOf(request), declaredLength(request))
    const caller = respondentCaller(launched.tenantId, deps.clock.now())
    const record = (id: string, { fileName, stored }: FilePart<StoredFile>) => {
      const keep = async (tx: Tx): Promise<Answer<{ uploadId: string }>> => {
        const contentType = typeByName(stored, fileName)
        const upload = { ...stored, contentType, id, formId: launched.formId, fileName }
        await addUpload(tx, caller, upload, admission.sender)
        return { status: 201, body: { uploadId: id } }
      }
      return writeAs(caller, request, keep, { content: { fileName, sha256: stored.sha256 } })
    }
    return receiveUpload(request, caller, deps.files, 'uploads', admission, record).finally(admission.end)
  }
}
