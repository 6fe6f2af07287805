import { createApp } from '../../src/app.ts'
import { startApp } from '../support/app.ts'
import { median, print, row } from './report.ts'

const CALLS = 2_000
const ROUNDS = 9

/** What a request costs inside the process before and instead of its work: each path should stay under 20 µs. */
export async function benchMicro(): Promise<void> {
  const app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1000000' } })
  const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1' } })
  const { key } = await app.createTenant()
  const spent = await limited.createTenant()
  await spent.get('/v1/me')
  const { fetch: answer } = createApp(app.deps)
  const { fetch: refuse } = createApp(limited.deps)
  const request = (path: string, headers: Record<string, string>) => new Request(`http://localhost${path}`, { headers })
  print('')
  row('in the process, without the network', 'µs')
  await time('making the request itself', () => request('/v1/me', { 'x-api-key': key }))
  await time('accepted: key, limit, answer', () => answer(request('/v1/me', { 'x-api-key': key })))
  await time('401: unknown key', () => answer(request('/v1/me', { 'x-api-key': 'sk_unknown' })))
  await time('429: limit exceeded', () => refuse(request('/v1/me', { 'x-api-key': spent.key })))
  await time('404: unknown path', () => answer(request('/v1/nowhere', { 'x-api-key': key })))
  await time('400: bad query', () => answer(request('/v1/contacts?limit=-1', { 'x-api-key': key })))
  await app.close()
  await limited.close()
}

async function time(name: string, call: () => unknown): Promise<void> {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    for (let i = 0; i < CALLS; i++) await call()
    rounds.push(((performance.now() - began) * 1000) / CALLS)
  }
  row(name, median(rounds).toFixed(1))
}

if (import.meta.main) await benchMicro()
