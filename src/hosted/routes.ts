import { Elysia } from 'elysia'
import type { Tx } from '../db/index.ts'
import type { Caller, Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { getForm } from '../forms/operations.ts'
import { api } from '../http/api.ts'
import { addressOf } from '../http/context.ts'
import { RateLimiter } from '../http/rate-limit.ts'
import { noQuery } from '../http/schemas.ts'
import { type Answer, ok, writer } from '../http/write.ts'
import { clientAddresses } from '../lib/client-address.ts'
import { openCheckout } from '../payments/checkout.ts'
import { stripeClient } from '../payments/stripe.ts'
import { uploadFiles } from '../uploads/files.ts'
import { addUpload } from '../uploads/operations.ts'
import { receiveUpload } from '../uploads/receive.ts'
import { findLaunched, type Launched } from './launch.ts'
import { Begin, Begun, Definition, GoOn, Pay, PayAt, Uploaded } from './model.ts'
import { beginHosted, goOnHosted } from './operations.ts'

/** Any site may call these, without credentials: they know no cookie and no key (decisions §6). */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, Idempotent-Replayed, X-Request-Id',
}

const PREFLIGHT = {
  ...CORS,
  'access-control-allow-methods': 'GET, POST, PUT, OPTIONS',
  'access-control-allow-headers': 'Content-Type, Idempotency-Key',
  'access-control-max-age': '86400',
}

/** The collection API for hosted pages and headless clients: `/f/{launchCode}/…` (decisions §6). */
export function collectionRoutes(deps: Deps) {
  const { db } = deps.database
  const { stripe } = deps.config
  const getStripe = stripe && stripeClient(stripe)
  const files = uploadFiles(deps.config.dataDir)
  const { writeAs } = writer(deps)
  const admit = limiter(deps)
  const preflight = () => new Response(null, { status: 204, headers: PREFLIGHT })
  const callerFor = ({ tenantId }: Launched): Caller => ({
    tenantId,
    author: { type: 'contact', id: null, name: null },
    at: deps.clock.now(),
  })

  return new Elysia({ prefix: '/f/:launchCode' })
    .use(api(deps))
    .onTransform(({ request, set }) => {
      Object.assign(set.headers, CORS)
      if (isWrite(request)) admit(request, addressOf(request))
    })
    .options('/definition', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses/:id', preflight, { scope: 'public', detail: { hide: true } })
    .options('/responses/:id/checkout', preflight, { scope: 'public', detail: { hide: true } })
    .options('/uploads', preflight, { scope: 'public', detail: { hide: true } })
    .get(
      '/definition',
      async ({ params }) => {
        const { tenantId, formId } = await findLaunched(db, params.launchCode)
        const { title, description, pages } = await getForm(db, tenantId, formId)
        return { title, description, pages }
      },
      { scope: 'public', query: noQuery, response: { 200: Definition }, detail: { hide: true } },
    )
    .post(
      '/responses',
      async ({ request, params, body }) => {
        const launched = await findLaunched(db, params.launchCode)
        const caller = callerFor(launched)
        return writeAs(caller, request, async (tx) => {
          const begun = await beginHosted(tx, caller, launched.formId, body)
          return { status: 201, body: begun }
        })
      },
      { scope: 'public', query: noQuery, body: Begin, response: { 201: Begun }, detail: { hide: true } },
    )
    .put(
      '/responses/:id',
      async ({ request, params, body }) => {
        const launched = await findLaunched(db, params.launchCode)
        const caller = callerFor(launched)
        return writeAs(caller, request, async (tx) =>
          ok(await goOnHosted(tx, caller, launched.formId, params.id, body)),
        )
      },
      { scope: 'public', query: noQuery, body: GoOn, response: { 200: Begun }, detail: { hide: true } },
    )
    .post(
      '/responses/:id/checkout',
      async ({ params, body: { resumeToken } }) => {
        const launched = await findLaunched(db, params.launchCode)
        const own = { id: params.id, resumeToken }
        // Without Idempotency-Key: asking again gives the same page anyway, and one that was kept could have expired.
        return { url: await openCheckout(deps, getStripe, callerFor(launched), launched.formId, own) }
      },
      { scope: 'public', query: noQuery, body: Pay, response: { 200: PayAt }, detail: { hide: true } },
    )
    .post(
      '/uploads',
      async ({ request, params }) => {
        const launched = await findLaunched(db, params.launchCode)
        const caller = callerFor(launched)
        return receiveUpload(request, caller, files, (id, { fileName, stored }) => {
          const keep = async (tx: Tx): Promise<Answer<{ uploadId: string }>> => {
            await addUpload(tx, caller, { ...stored, id, formId: launched.formId, fileName })
            return { status: 201, body: { uploadId: id } }
          }
          return writeAs(caller, request, keep, { fileName, sha256: stored.sha256 })
        })
      },
      { scope: 'public', query: noQuery, response: { 201: Uploaded }, detail: { hide: true } },
    )
}

function isWrite({ method }: Request): boolean {
  return method === 'POST' || method === 'PUT'
}

/** Counts a write of an address. Throws `too_soon` above the limit of decisions §6. */
function limiter({ config, clock }: Deps) {
  const limits = new RateLimiter(config.publicRateLimit)
  const clientAddress = clientAddresses(config.trustedProxies)
  return (request: Request, peer: string) => {
    const { allowed, retryAfter } = limits.take(
      clientAddress(peer, request.headers.get('x-forwarded-for')),
      clock.monotonic(),
    )
    if (!allowed) throw new AppError('too_soon', 'too many requests from this address', { retryAfter })
  }
}
