import { Elysia, t } from 'elysia'
import type { Deps } from '../deps.ts'
import { AppError } from '../errors.ts'
import { api } from '../http/api.ts'
import { clientOf, peerOf } from '../http/context.ts'
import { trustedPeers } from '../lib/network/client-address.ts'
import { VERSION } from '../version.ts'
import { openFilesLimit } from './machine.ts'
import { type Arrival, isProbe, PROBE_HEADER, PROBE_PATH, settingsOf } from './probe.ts'

/** Tells `frontdesk doctor` how its request arrived. To anybody else there is no such page. */
export function doctorRoutes(deps: Deps) {
  const { config, secrets, clock } = deps
  const isTrusted = trustedPeers(config.trustedProxies)
  return new Elysia().use(api(deps)).get(
    PROBE_PATH,
    ({ request, headers }): Arrival => {
      const probe = headers[PROBE_HEADER]
      if (probe === undefined || !isProbe(secrets, probe, clock.now())) {
        throw new AppError('not_found', 'there is nothing at this address')
      }
      const peer = peerOf(request)
      return {
        peer,
        client: clientOf(request).address,
        isTrusted: isTrusted(peer),
        forwardedFor: headers['x-forwarded-for'] ?? null,
        asksForSocket: /(^|,)\s*upgrade\s*(,|$)/i.test(headers.connection ?? '') && headers.upgrade === 'websocket',
        version: VERSION,
        now: clock.now(),
        openFiles: openFilesLimit(),
        settings: settingsOf(secrets, config),
      }
    },
    {
      scope: 'public',
      detail: { hide: true },
      headers: t.Object({
        [PROBE_HEADER]: t.Optional(t.String()),
        'x-forwarded-for': t.Optional(t.String()),
        connection: t.Optional(t.String()),
        upgrade: t.Optional(t.String()),
      }),
    },
  )
}
