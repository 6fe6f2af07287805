import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Caller, callerFor } from '../../src/caller.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { type NewReply, reply } from '../../src/tickets/replies/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createMailbox, type Mailbox } from '../support/mail/mails.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../support/mail/server.ts'
import { refusal } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let inbox: Mailbox

beforeAll(async () => {
  mailServer = await startMailServer()
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  mailServer.mails.length = 0
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

function agent(): Caller {
  const { tenantId, userId } = acme
  return callerFor({ type: 'user', tenantId, userId, name: 'Robin', role: 'agent' }, app.clock.now(), null)
}

const addresses = (people: ReceivedMail['to'] = []) => people.map(({ address }) => address)
/** Whom a mail goes to, as its readers see it; it reaches these and nobody else. */
function recipients(mail: ReceivedMail | undefined) {
  const [to, cc] = [addresses(mail?.to), addresses(mail?.cc)]
  expect(mail?.envelope.to).toEqual([...to, ...cc] as string[])
  return { to, cc }
}

/** Whom an agent's answer reaches. */
async function answer(ticketId: string, input: Partial<NewReply> = {}) {
  app.clock.advance(1000)
  await reply(app.deps, agent(), ticketId, { text: 'Here.', ...input })
  return recipients(mailServer.mails.at(-1))
}

/** Somebody answers our newest mail, to the address that it says. */
async function writes(from: string, cc: string | null = null) {
  app.clock.advance(1000)
  const to = mailServer.mails.at(-1)?.replyTo?.[0]?.address as string
  const { outcome } = await inbox.deliver({ from, to, headers: { Cc: cc } })
  expect(outcome).toBe('threaded')
}

async function opened(cc: string | null = null) {
  const { ticketId } = await inbox.deliver({ from: 'Ada <ada@acme.test>', headers: { Cc: cc } })
  return ticketId as string
}

describe('an agent’s answer', () => {
  test('goes to everybody who wrote since the last one, whoever that is', async () => {
    const id = await opened('Bob <bob@acme.test>')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test'], cc: ['bob@acme.test'] })
    await writes('ada@acme.test')
    await writes('Bob <bob@acme.test>')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test', 'bob@acme.test'], cc: [] })
  })

  test('goes to whoever wrote last though the customer has said nothing since', async () => {
    const id = await opened()
    await answer(id)
    await writes('bob@acme.test', 'carl@acme.test, Bob@acme.test, ada@acme.test')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test', 'bob@acme.test'], cc: ['carl@acme.test'] })
    await writes('dora@acme.test')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test', 'dora@acme.test'], cc: [] })
  })

  test('goes to everybody who was copied since the last one, whichever mail had them', async () => {
    const id = await opened('bob@acme.test')
    const ticket = (await acme.get(`/v1/tickets/${id}`)).body
    for (const cc of [['carl@acme.test'], [], ['dora@acme.test']])
      await acme.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'And', cc }))
    const { to, cc } = await answer(id)
    expect([to, cc.toSorted()]).toEqual([['ada@acme.test'], ['bob@acme.test', 'carl@acme.test', 'dora@acme.test']])
  })

  test('goes to whoever got the last one where nobody has written since', async () => {
    const id = await opened('bob@acme.test')
    await answer(id, { to: ['bob@acme.test'], cc: ['carl@acme.test'] })
    expect(await answer(id)).toEqual({ to: ['bob@acme.test'], cc: ['carl@acme.test'] })
    await writes('ada@acme.test')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test'], cc: [] })
  })

  test('goes where the customer wants answers, and never to an inbox', async () => {
    const other = (await createEmailInbox(await app.createTenant())).emailAddress as string
    const id = (
      await inbox.deliver({
        from: 'form@site.test',
        headers: { 'Reply-To': 'ada@acme.test', Cc: `${inbox.address}, ${other.replace('@', '+x@')}, bob@acme.test` },
      })
    ).ticketId as string
    expect(await answer(id)).toEqual({ to: ['ada@acme.test'], cc: ['bob@acme.test'] })
    const named = { to: [inbox.address, 'carl@acme.test'], cc: [other] }
    expect(await answer(id, named)).toEqual({ to: ['carl@acme.test'], cc: [] })
  })

  test('leaves out whom its writer leaves out: the customer, too', async () => {
    const id = await opened('bob@acme.test')
    expect(await answer(id, { to: ['bob@acme.test'] })).toEqual({ to: ['bob@acme.test'], cc: [] })
    expect(await answer(id, { to: ['ada@acme.test'], cc: [] })).toEqual({ to: ['ada@acme.test'], cc: [] })
  })

  test('names the customer, and is an answer in the thread to all of them', async () => {
    const id = await opened()
    await answer(id)
    await writes('bob@acme.test')
    await answer(id)
    expect(mailServer.mails.at(-1)?.to).toMatchObject([
      { address: 'ada@acme.test', name: 'Ada' },
      { address: 'bob@acme.test', name: '' },
    ])
    const { messages } = (await acme.get(`/v1/tickets/${id}`)).body
    expect(messages.at(-1)).toMatchObject({ to: ['ada@acme.test', 'bob@acme.test'], cc: [] })
  })

  test('goes to whoever writes to a ticket that was merged, from then on', async () => {
    const id = await opened()
    const merged = await inbox.deliver({ from: 'bob@acme.test' })
    await answer(merged.ticketId as string)
    await acme.perform((tx, caller) => mergeTickets(tx, caller, merged.ticketId as string, id))
    expect(await answer(id, {})).toEqual({ to: ['ada@acme.test'], cc: [] })
    mailServer.mails.pop()
    await writes('bob@acme.test')
    expect(await answer(id)).toEqual({ to: ['ada@acme.test', 'bob@acme.test'], cc: [] })
  })

  test.each<[string, Partial<NewReply>, string]>([
    ['nobody', { to: [] }, 'to: must name somebody who gets the answer'],
    ['no address', { to: ['carl'] }, 'to[0]: must be an email address of at most 320 characters'],
    [
      'too many',
      { to: Array.from({ length: 51 }, (_, index) => `p${index}@b.test`) },
      'to: must be at most 50 addresses',
    ],
  ])('to %s is refused', async (_, named, message) => {
    const { id } = await createTicket(acme)
    expect(await refusal(reply(app.deps, agent(), id, { text: 'x', ...named }))).toEqual(['invalid_request', message])
    expect(mailServer.mails).toEqual([])
  })
})

describe('a reply by a key', () => {
  const post = async (id: string) => {
    app.clock.advance(1000)
    expect((await acme.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(201)
    return recipients(mailServer.mails.at(-1))
  }

  test('goes to the customer and to whoever wrote last, without copies', async () => {
    const id = await opened('bob@acme.test')
    expect(await post(id)).toEqual({ to: ['ada@acme.test'], cc: [] })
    await writes('carl@acme.test', 'dora@acme.test')
    await writes('bob@acme.test')
    expect(await post(id)).toEqual({ to: ['ada@acme.test', 'bob@acme.test'], cc: [] })
  })

  test('is no answer of an agent: theirs goes to everybody still', async () => {
    const id = await opened('bob@acme.test')
    await post(id)
    expect(await answer(id)).toEqual({ to: ['ada@acme.test'], cc: ['bob@acme.test'] })
    expect(await post(id)).toEqual({ to: ['ada@acme.test'], cc: [] })
  })
})
