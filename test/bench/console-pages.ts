import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { createApp } from '../../src/app.ts'
import { DATABASE_FILE } from '../../src/db/index.ts'
import { allRoutes } from '../support/api/routes.ts'
import { startApp } from '../support/app.ts'

/** Records with much to show, by what stands before their ids in paths. */
export type Samples = Record<'form' | 'response' | 'ticket' | 'contact', string> & Record<string, string>

export function samplesOf(folder: string): Samples {
  const sqlite = new Sqlite(join(folder, DATABASE_FILE), { readonly: true })
  const one = (sql: string) => String((sqlite.query(sql).get() as { id: unknown } | null)?.id ?? '')
  const form = one('SELECT form_id AS id FROM responses GROUP BY form_id ORDER BY count(*) DESC LIMIT 1')
  const question =
    /"id":(\d+),"type":"textbox"/.exec(one(`SELECT pages AS id FROM forms WHERE id = '${form}'`))?.[1] ?? ''
  const samples = {
    form,
    question,
    response: one(`SELECT id FROM responses WHERE form_id = '${form}' AND status = 'complete' LIMIT 1`),
    ticket: one('SELECT id FROM tickets ORDER BY id DESC LIMIT 1'),
    contact: one(
      'SELECT contact_id AS id FROM responses WHERE contact_id IS NOT NULL GROUP BY contact_id ORDER BY count(*) DESC LIMIT 1',
    ),
    group: one('SELECT group_id AS id FROM contact_groups GROUP BY group_id ORDER BY count(*) DESC LIMIT 1'),
    organisation: one('SELECT id FROM organisations LIMIT 1'),
    inbox: one("SELECT id FROM inboxes WHERE channel = 'email' LIMIT 1"),
    source: one('SELECT id FROM livechat_sources LIMIT 1'),
    article: one('SELECT id FROM articles LIMIT 1'),
    webhook: one('SELECT id FROM webhooks LIMIT 1'),
    user: one('SELECT id FROM users LIMIT 1'),
    batch: one('SELECT id FROM webhook_batches LIMIT 1'),
    email: one(`SELECT email AS id FROM contacts WHERE email IS NOT NULL LIMIT 1`),
  }
  sqlite.close()
  return samples
}

/** Every page, by the routes there are, and lists with what they can be asked for. `left` are those without a sample. */
export async function pathsOf(samples: Samples): Promise<{ paths: string[]; left: string[] }> {
  const app = await startApp()
  const routes = (await allRoutes(createApp(app.deps)))
    .filter(({ method, path, hooks }) => {
      const role = (hooks.detail as Record<string, string> | undefined)?.['x-console']
      return method === 'GET' && (role === 'admin' || role === 'agent') && path !== '/console'
    })
    .map(({ path }) => path)
  await app.close()
  const left: string[] = []
  const pages = routes.flatMap((route) => {
    if (STREAMS.test(route)) return []
    const path = route.replace(/(\w+)\/:(\w+)/g, (whole, owner: string, name: string) => {
      const known = name === 'id' ? samples[OWNERS[owner] ?? owner.replace(/s$/, '')] : samples[name.replace(/Id$/, '')]
      return known ? `${owner}/${known}` : whole
    })
    if (path.includes('/:')) left.push(route)
    return path.includes('/:') ? [] : path
  })
  return { paths: [...pages, ...filtered(samples)], left }
}

/** Files as long as what they hold, and news that never end. */
const STREAMS = /\/export|\/events$|\/stream$|\/download/
const OWNERS: Record<string, string> = { inboxes: 'inbox', chats: 'source', batches: 'batch' }

/** Every list with every combination of what it can be asked for, and results narrowed down. */
function filtered({ form, question, group, organisation, inbox, user, email, contact }: Samples): string[] {
  const month = new Date(Date.now() - 30 * 86_400_000).toISOString().slice(0, 10)
  const of = (path: string, choices: Record<string, (string | undefined)[]>) =>
    combinations(choices).map((query) => `${path}?${query}`)
  return [
    ...of('/console/contacts', {
      q: ['', 'ma', 'an sm'],
      group: ['', group],
      organisation: ['', organisation],
      emails: ['', 'subscribed', 'unsubscribed'],
      from: ['', month],
    }),
    ...of('/console/inbox', {
      q: ['', 'booking', 'the room', 'T-100'],
      status: ['all', 'open', 'pending', 'snoozed', 'closed', 'spam'],
      inbox: ['', inbox],
      assignee: ['', user, 'nobody'],
      priority: ['', 'urgent'],
    }),
    ...of('/console/audit', {
      what: ['', 'contact', 'ticket'],
      who: ['', user],
      record: ['', contact],
      from: ['', month],
    }),
    ...of('/console/reports', { from: ['', month, '2020-01-01'], user: ['', user], inbox: ['', inbox] }),
    ...of('/console/organisations', { q: ['ho'] }),
    ...of('/console/articles', { q: ['booking'] }),
    ...of(`/console/forms/${form}/responses`, { status: ['partial', 'all'] }),
    ...of(`/console/forms/${form}/responses`, { from: ['', month], group: ['', group], email: ['', email] }),
    ...of(`/console/forms/${form}/results`, {
      from: ['', month],
      compare: ['', 'before'],
      group: ['', group],
      email: ['', email],
    }),
    ...of(`/console/forms/${form}/results/${question}`, { q: ['', 'the', 'nowhere-to-be-found'], group: ['', group] }),
  ]
}

/** Queries with one of each; '' leaves it out. */
function combinations(choices: Record<string, (string | undefined)[]>): string[] {
  const all = Object.entries(choices).reduce<[string, string][][]>(
    (some, [name, values]) =>
      values.flatMap((value) => some.map((query) => (value ? [...query, [name, value] as [string, string]] : query))),
    [[]],
  )
  return all.filter((query) => query.length > 0).map((query) => new URLSearchParams(query).toString())
}
