import { expect, test } from 'bun:test'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { mcpClient, revisions, saidBy } from '../support/api/mcp.ts'
import { startApp } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { startMailServer } from '../support/mail/server.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

/** What a model says next: a call of a tool, or that it is finished. */
type Step = { call: string; with: Record<string, unknown> } | { finished: string }

/** Stands in for a model: decides from the tools it was shown and what they have said so far. */
type Model = (shown: readonly string[], said: readonly CallToolResult[]) => Step

/** Does what the model says, as programs with an agent in them do, until it is finished. */
async function runAgent(client: Client, model: Model): Promise<string> {
  const shown = (await client.listTools()).tools.map(({ name }) => name)
  const said: CallToolResult[] = []
  for (let turn = 0; turn < 20; turn++) {
    const step = model(shown, said)
    if ('finished' in step) return step.finished
    said.push(await client.callTool({ name: step.call, arguments: step.with }))
  }
  throw new Error('the model came to no end')
}

/** Looks for the oldest open ticket, reads it, searches the help articles for what it is about, and answers with what fits best. */
const supportModel: Model = (shown, said) => {
  const [tickets, ticket, sources, articles, article, reply] = said.map(saidBy)
  const source = sources?.items[0].id
  if (!shown.includes('replyToTicket')) return { finished: 'I may not answer tickets.' }
  if (!tickets) return { call: 'listTickets', with: { status: 'open' } }
  if (!ticket) return { call: 'getTicket', with: { id: tickets.items.at(-1).id } }
  if (!sources) return { call: 'listLivechatSources', with: {} }
  const question: string[] = ticket.messages[0].text.match(/\p{L}+/gu)
  if (!articles) return { call: 'listArticles', with: { sourceId: source, query: question.at(-1) } }
  if (!article) return { call: 'getArticle', with: { sourceId: source, slug: articles.items[0].slug } }
  if (!reply) {
    const html = `<p>${article.content.split('\n').at(-1)}</p>`
    return { call: 'replyToTicket', with: { id: ticket.id, html, idempotencyKey: `answer ${ticket.id}` } }
  }
  return { finished: `Answered ${ticket.reference} from ${article.slug}.` }
}

test.each(revisions)('an agent answers a ticket from help articles, by revision %s', async (revision) => {
  const mailServer = await startMailServer()
  const app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
  const acme = await app.createTenant()
  const inbox = await createEmailInbox(acme)
  const source = await createTestSource(acme)
  const articles = {
    shipping: { title: 'When will my parcel arrive?', content: 'A parcel takes three working days.' },
    refunds: { title: 'How do I get a refund?', content: 'Send it back.\nA refund takes a week after it is back.' },
  }
  for (const [slug, article] of Object.entries(articles)) {
    await acme.put(`/v1/livechat/sources/${source.id}/articles/${slug}`, { ...article, format: 'markdown' })
  }
  const ticket = await createTicket(acme, { inboxId: inbox.id, subject: 'Money', text: 'When do I get my refund?' })
  const { key } = await acme.createKey(['tickets:read', 'tickets:write'])
  const client = await mcpClient(app, key, revision)

  expect(await runAgent(client, supportModel)).toEndWith('from refunds.')

  const { body } = await acme.get(`/v1/tickets/${ticket.id}`)
  expect(body.messages).toHaveLength(2)
  expect(body.messages[1]).toMatchObject({ direction: 'outbound', text: 'A refund takes a week after it is back.' })
  expect(mailServer.mails).toHaveLength(1)
  await client.close()
  await app.close()
  await mailServer.close()
})

test('an agent whose key only reads answers nothing', async () => {
  const app = await startApp()
  const acme = await app.createTenant()
  const ticket = await createTicket(acme)
  const client = await mcpClient(app, (await acme.createKey(['tickets:read'])).key)
  expect(await runAgent(client, supportModel)).toBe('I may not answer tickets.')
  expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.messages).toHaveLength(1)
  await client.close()
  await app.close()
})
