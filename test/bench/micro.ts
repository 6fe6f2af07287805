import { createApp } from '../../src/app.ts'
import { startApp } from '../support/app.ts'
import { print, row } from './harness/report.ts'

/** Short rounds, many of them: some meet a quiet moment. */
const CALLS = 200
const ROUNDS = 90

/** A page as polled: its tag is to cost no more than what else differs from one request to the next. */
const PAGE = 25

/** What a request costs inside the process before and instead of its work: each path should stay under 20 µs. */
export async function benchMicro(): Promise<void> {
  const app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1000000' } })
  const limited = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '1' } })
  const { key, post } = await app.createTenant()
  for (let i = 0; i < PAGE; i++) await post('/v1/contacts', { email: `ada-${i}@acme.test`, name: 'Ada' })
  const spent = await limited.createTenant()
  await spent.get('/v1/me')
  const { fetch: answer } = createApp(app.deps)
  const { fetch: untagged } = createApp({ ...app.deps, gate: { ...app.deps.gate, tagged: () => undefined } })
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
  const page = (headers = {}) => request('/v1/contacts', { 'x-api-key': key, ...headers })
  const etag = (await answer(page())).headers.get('etag') as string
  await together([
    ['a page of 25 without ETag', async () => (await untagged(page())).text()],
    ['a page of 25', async () => (await answer(page())).text()],
    ['304: the page is known', async () => (await answer(page({ 'if-none-match': etag }))).text()],
  ])
  await app.close()
  await limited.close()
}

type Timed = readonly [name: string, call: () => unknown]

async function time(...timed: Timed): Promise<void> {
  await together([timed])
}

/** Processor time of what is compared, in the same rounds. The least counts: what else the machine does only adds to it. */
async function together(all: readonly Timed[]): Promise<void> {
  const rounds = new Map<string, number[]>(all.map(([name]) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of all) {
      const began = process.cpuUsage()
      for (let i = 0; i < CALLS; i++) await call()
      const { user, system } = process.cpuUsage(began)
      rounds.get(name)?.push((user + system) / CALLS)
    }
  }
  for (const [name, taken] of rounds) row(name, Math.min(...taken).toFixed(1))
}

if (import.meta.main) await benchMicro()
