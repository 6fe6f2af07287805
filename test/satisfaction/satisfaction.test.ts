import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { trashForm } from '../../src/forms/publishing.ts'
import { sendForm } from '../../src/satisfaction/asking.ts'
import { deleteTicket } from '../../src/tickets/deletion/deletion.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { UNDO_WINDOW } from '../../src/tickets/replies/send-later.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { openChat } from '../support/chat/chat.ts'
import { answersTo, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { createMailbox, rawMail } from '../support/mail/mails.ts'
import { type MailServer, startMailServer } from '../support/mail/server.ts'
import { signedIn } from '../support/pages/console.ts'
import { refusal } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let anna: Awaited<ReturnType<typeof signedIn>>
let form: TestForm
let ticketId: string

beforeAll(async () => {
  mailServer = await startMailServer({})
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_PUBLIC_RATE_LIMIT: '100000' },
  })
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  await app.runDue()
  mailServer.mails.length = 0
  acme = await app.createTenant()
  anna = await signedIn(app, acme, 'agent')
  form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox', text: 'Why?' }], 'How did we do?')
  ticketId = (await createTicket(acme)).id
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const ask = (id = ticketId, formId = form.id) => anna.post(`/console/tickets/${id}/ask`, { form: formId })
const page = async (id = ticketId) => (await anna.get(`/console/tickets/${id}`)).text
const goesOut = async () => {
  app.clock.advance(UNDO_WINDOW + 1000)
  await app.runDue()
}
/** The address in the newest mail that went out, as its text has it. */
const sentAddress = () => /https?:\/\/\S+\/f\/\S+/.exec(mailServer.mails.at(-1)?.text ?? '')?.[0] ?? ''
/** Sends the form to a ticket's customer, and gives the token they got. */
async function asked(id = ticketId, formId = form.id): Promise<string> {
  expect((await ask(id, formId)).status).toBe(303)
  await goesOut()
  return new URL(sentAddress()).searchParams.get('ticket_token') ?? ''
}
const collect = (values: readonly unknown[], token: string | null, more: object = {}, to: TestForm = form) =>
  app.request('POST', `/f/${to.launchCode}/responses`, {
    body: {
      answers: answersTo(to, values),
      complete: true,
      ...(token === null ? {} : { hiddenFields: { ticket_token: token } }),
      ...more,
    },
  })
const satisfactionOf = async (id = ticketId) => /([\d.]+)% satisfied/.exec(await page(id))?.[1] ?? null
const stored = async (of: TestForm = form) => (await acme.get(`/v1/forms/${of.id}/responses`)).body.items

describe('a form that is sent to a ticket’s customer', () => {
  test('goes by mail once it cannot be taken back, with an address of the form that only we can make', async () => {
    await ask()
    await app.runDue()
    expect(mailServer.mails).toHaveLength(0)
    await goesOut()
    expect(mailServer.mails).toHaveLength(1)
    const [mail] = mailServer.mails
    expect(mail?.to?.map(({ address }) => address)).toEqual(['ada@acme.test'])
    expect(sentAddress()).toMatch(new RegExp(`^${app.url}/f/${form.launchCode}\\?ticket_token=[\\w-]{43}$`))
    expect(mail?.html).toContain(sentAddress())
    const hosted = await app.request('GET', new URL(sentAddress()).href.slice(app.url.length))
    expect(hosted.text).toContain('data-hidden="{&quot;ticket_token&quot;')
  })

  test('rates the ticket by its first answer that rates, and stands in the thread for agents', async () => {
    const { status } = await collect([9, 'So <b>quick</b>'], await asked())
    expect(status).toBe(201)
    expect(await satisfactionOf()).toBe('90')
    const text = await page()
    expect(text).toContain('So &lt;b&gt;quick&lt;/b&gt;')
    expect(text.indexOf('class="message outbound"')).toBeLessThan(text.indexOf('class="message internal answered"'))
    const [response] = await stored()
    expect(response.contactId).toBe((await acme.get(`/v1/tickets/${ticketId}`)).body.contactId)
    expect(response.hiddenFields).toEqual({})
    const [event] = (await acme.events()).filter(({ event }) => event === 'response.created')
    expect(event?.payload.contact.email).toBe('ada@acme.test')
    const { updatedAt: _, ...shape } = (await acme.get(`/v1/tickets/${ticketId}`)).body
    expect(Object.keys(shape)).not.toContain('satisfaction')
  })

  test.each<[object, unknown, string]>([
    [{ type: 'star_rating', maxStars: 3 }, 2, '66.7'],
    [{ type: 'likert', scaleStart: 1, scaleEnd: 5 }, [{ scale: 0, value: 4 }], '75'],
    [{ type: 'binary' }, true, '100'],
    [{ type: 'binary' }, false, '0'],
    [{ type: 'nps' }, 0, '0'],
  ])('says of %p answered by %p that %p percent are content', async (question, answer, expected) => {
    const other = await createPublished(acme, [{ type: 'textbox' }, { type: 'nps' }, question, { type: 'nps' }])
    await collect(['Hello', undefined, answer, 10], await asked(ticketId, other.id), {}, other)
    expect(await satisfactionOf()).toBe(expected)
  })

  test('rates nothing where nothing that rates was answered', async () => {
    await collect([undefined, 'No idea'], await asked())
    expect(await satisfactionOf()).toBeNull()
    expect(await page()).toContain('No idea')
  })

  test('rates once: a second answer stands in the thread alone', async () => {
    const token = await asked()
    await collect([9], token)
    expect((await collect([1, 'Changed my mind'], token)).status).toBe(201)
    expect(await satisfactionOf()).toBe('90')
    expect(await page()).toContain('Changed my mind')
    expect(await stored()).toHaveLength(2)
  })

  test('is answered in parts: what was begun with a token is the ticket’s when it is finished without', async () => {
    const token = await asked()
    const { body } = await collect([7], token, { complete: false })
    expect(await satisfactionOf()).toBeNull()
    const path = `/f/${form.launchCode}/responses/${body.id}`
    const { status } = await app.request('PUT', path, {
      body: { answers: [], complete: true, resumeToken: body.resumeToken },
    })
    expect([status, await satisfactionOf()]).toEqual([200, '70'])
  })

  test.each<[string, (token: string) => string | null]>([
    ['without a token', () => null],
    ['with a made-up one', () => 'x'.repeat(43)],
    ['with one that is no token at all', () => '\u{1f600}'],
    ['with another last letter', (token) => token.slice(0, -1) + (token.endsWith('A') ? 'Q' : 'A')],
    ['with another ticket', (token) => (token.startsWith('A') ? 'B' : 'A') + token.slice(1)],
  ])('%s makes an ordinary response', async (_, forge) => {
    const token = await asked()
    expect((await collect([9, 'Ordinary'], forge(token))).status).toBe(201)
    expect(await satisfactionOf()).toBeNull()
    expect(await page()).not.toContain('Ordinary')
    expect(await stored()).toMatchObject([{ contactId: null, hiddenFields: {} }])
  })

  test('takes no token of another form, nor of another tenant', async () => {
    const token = await asked()
    const other = await createPublished(acme, [{ type: 'nps' }])
    await collect([9], token, {}, other)
    const stranger = await app.createTenant()
    await collect([9], token, {}, await createPublished(stranger, [{ type: 'nps' }]))
    expect(await satisfactionOf()).toBeNull()
  })

  test('is answered for a ticket that was deleted as for none, and rates the one it was merged into', async () => {
    const token = await asked()
    const into = (await createTicket(acme)).id
    await acme.perform((tx, caller) => mergeTickets(tx, caller, ticketId, into))
    await collect([8, 'Both of you'], token)
    expect(await satisfactionOf(into)).toBe('80')
    expect(await page(into)).toContain('Both of you')
    await acme.perform((tx, caller) => deleteTicket(tx, caller, into))
    expect((await collect([2], token)).status).toBe(201)
    expect(await stored()).toMatchObject([{ contactId: null }, {}])
  })

  test('goes into a chat as a message, at once', async () => {
    await createEmailInbox(acme)
    const chat = await openChat(app, acme)
    const { token } = await chat.visitor({ name: 'Ada' })
    const { conversationId } = (await chat.start(token, 'Hello?')).body
    app.clock.advance(1000)
    expect((await ask(conversationId)).status).toBe(303)
    const { items } = (await chat.read(token, conversationId)).body
    const [, address = '', ticketToken = ''] = /(http\S+\/f\/\w+)\?ticket_token=(\S+)/.exec(items.at(-1).text) ?? []
    expect(address).toBe(`${app.url}/f/${form.launchCode}`)
    expect(items.at(-1).html).toContain(`${address}?ticket_token=${ticketToken}`)
    await collect([10], ticketToken)
    expect(await satisfactionOf(conversationId)).toBe('100')
  })
})

describe('nothing is sent', () => {
  const refused = async (...args: Parameters<typeof ask>) => {
    const { status, text } = await ask(...args)
    await goesOut()
    return [
      status,
      mailServer.mails.length,
      /role="alert"[^>]*>.*?<\/div>/s.exec(text)?.[0].replace(/<[^>]*>/g, '') ?? '',
    ]
  }

  test('twice, unless the first one was taken back', async () => {
    await ask()
    const path = /action="([^"]*\/undo)"/.exec(await page())?.[1] ?? ''
    expect((await anna.post(path)).status).toBe(303)
    await goesOut()
    expect(mailServer.mails).toHaveLength(0)
    await asked()
    const [status, mails, why] = await refused()
    expect([status, mails]).toEqual([409, 1])
    expect(why).toContain('has been sent a form already')
    expect(await page()).not.toContain('Ask how it went')
  })

  test('of spam', async () => {
    await acme.perform((tx, caller) => setStatus(tx, caller, ticketId, { status: 'spam' }))
    expect(await refused()).toEqual([422, 0, expect.stringContaining('spam')])
  })

  test('of what a program wrote', async () => {
    const mailbox = await createMailbox(app, acme)
    const ticketOf = async (headers: Record<string, string>) => {
      await mailbox.receive(rawMail({ from: 'robot@else.test', headers }))
      return (await acme.get('/v1/tickets?limit=1')).body.items[0].id as string
    }
    expect((await refused(await ticketOf({ 'Auto-Submitted': 'auto-generated' })))[0]).toBe(422)
    app.clock.advance(1000)
    expect((await ask(await ticketOf({}))).status).toBe(303)
  })

  test('by a form that does not collect, is in the trash or is another tenant’s', async () => {
    const stranger = await app.createTenant()
    const theirs = await createPublished(stranger, [{ type: 'nps' }])
    const inTrash = await createPublished(acme, [{ type: 'nps' }])
    await acme.perform((tx, caller) => trashForm(tx, caller, inTrash.id))
    for (const id of [theirs.id, inTrash.id, crypto.randomUUID()]) {
      expect((await refused(ticketId, id)).slice(0, 2)).toEqual([400, 0])
    }
  })
})

test('a form goes by itself for a rule: at once, once, and marked as automatic', async () => {
  const caller = () => ({ ...acme.caller(), via: 'job' as const })
  const send = () => app.database.transaction((tx) => sendForm(tx, caller(), app.deps, ticketId, form.id))
  await send()
  await app.runDue()
  expect(mailServer.mails).toHaveLength(1)
  expect(mailServer.mails[0]?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-replied')
  expect(await refusal(send())).toEqual(['conflict', 'the customer has been sent a form already'])
})

test('the ready-made form is made, published and sent when it is first wanted, and the same one from then on', async () => {
  expect(await page()).toContain('Ready-made: thumbs, and why')
  const token = await asked(ticketId, '')
  const [made] = (await acme.get('/v1/forms')).body.items
  expect(made).toMatchObject({ title: 'How did we do?', status: 'active' })
  const { body } = await acme.get(`/v1/forms/${made.id}`)
  const ready: TestForm = {
    ...body,
    questionIds: body.pages[0].questions.map(({ id }: { id: number }) => id),
  }
  expect(body.pages[0].questions.map(({ type }: { type: string }) => type)).toEqual(['binary', 'textbox'])
  await collect([true, 'Friendly'], token, {}, ready)
  expect(await satisfactionOf()).toBe('100')
  const other = (await createTicket(acme)).id
  await asked(other, '')
  expect(sentAddress()).toContain(`/f/${ready.launchCode}?`)
})
