import { commandCallerAs } from '../../../src/caller.ts'
import { sendForm } from '../../../src/satisfaction/asking.ts'
import { TICKET_TOKEN, ticketToken } from '../../../src/satisfaction/token.ts'
import { deleteTicket } from '../../../src/tickets/deletion/deletion.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { mergeTickets } from '../../../src/tickets/merging/operations.ts'
import { reply } from '../../../src/tickets/replies/operations.ts'
import { addNote } from '../../../src/tickets/thread/notes.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { openChat } from '../chat/chat.ts'
import { answersTo, type TestForm } from '../forms/collecting.ts'
import { createMailbox } from '../mail/mails.ts'
import { rulesOf } from './rules.ts'

const MINUTE = 60_000

/** A ticket as whoever made its history knows it. */
export interface PastTicket {
  readonly id: string
  /** From its beginning on: since when it has which status. */
  readonly statuses: { at: number; status: string }[]
  isAnswered: boolean
  isAsked: boolean
  isGone: boolean
}

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Company {
  readonly app: TestApp
  readonly tenant: TestTenant
  readonly agents: readonly { readonly userId: string; readonly email: string }[]
  readonly teamIds: readonly string[]
  readonly tags: readonly string[]
  readonly form: TestForm
}

/**
 * Has a company work until an instant, by day and night and at weekends: mails and chats come in, are answered, noted, handed
 * on, tagged, closed, opened again, merged, deleted and rated, every some minutes, as the seed has it, and each new ticket of
 * the first inbox is answered by a rule. Only what people have answered is closed.
 */
export async function makeHistory(company: Company, until: number, seed: number) {
  const { app, tenant, agents, teamIds, tags, form } = company
  const { clock, deps } = app
  const random = randomBy(seed)
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const [mailbox, second] = [await createMailbox(app, tenant), await createMailbox(app, tenant)]
  const chat = await openChat(app, tenant)
  await rulesOf(app, tenant).create({
    when: { all: [{ field: 'inbox', is: mailbox.id }] },
    then: [{ do: 'reply', html: '<p>We have got your mail.</p>' }],
  })
  const past: PastTicket[] = []
  let customers = 0

  const callerOf = ({ userId, email: name }: Company['agents'][number]) =>
    commandCallerAs(tenant.tenantId, { userId, name }, clock.now())
  const statusOf = async (id: string): Promise<string> => (await tenant.get(`/v1/tickets/${id}`)).body.status
  const last = ({ statuses }: PastTicket) => statuses.at(-1)?.status
  const those = (is: (ticket: PastTicket) => boolean) => past.filter((ticket) => !ticket.isGone && is(ticket))
  /** Does something with one of `tickets`, one of the newest mostly, and looks at what has become of it. */
  const withOne = async (tickets: readonly PastTicket[], work: (ticket: PastTicket) => Promise<unknown>) => {
    if (tickets.length === 0) return
    const ticket = one(random() < 0.7 ? tickets.slice(-6) : tickets)
    await work(ticket)
    if (ticket.isGone) return
    const status = await statusOf(ticket.id)
    if (status !== last(ticket)) ticket.statuses.push({ at: clock.now(), status })
  }
  const put = async (ticket: PastTicket, what: string, body: object) => {
    const { status, text } = await tenant.put(`/v1/tickets/${ticket.id}/${what}`, body)
    if (status !== 200) throw new Error(text)
  }
  const opened = async () => {
    const [newest] = (await tenant.get('/v1/tickets?limit=1')).body.items
    const { id } = newest
    past.push({
      ...{ id, statuses: [{ at: clock.now(), status: 'open' }] },
      ...{ isAnswered: false, isAsked: false, isGone: false },
    })
  }

  const mail = async () => {
    customers += 1
    await one([mailbox, mailbox, second]).deliver({ from: `c${customers}@customer.test`, subject: `Mail ${customers}` })
    await opened()
  }
  const begin = async () => {
    customers += 1
    const email = `c${customers}@customer.test`
    const created = { inboxId: second.id, email, subject: 'By a program', text: 'Hello', priority: 'high' }
    await tenant.post('/v1/tickets', created)
    await opened()
  }
  const talk = async () => {
    customers += 1
    const { token } = await chat.visitor({ email: `c${customers}@customer.test` })
    const { status, text } = await chat.start(token)
    if (status !== 201) throw new Error(text)
    await opened()
  }
  const answer = () =>
    withOne(
      those((ticket) => last(ticket) === 'open'),
      async (ticket) => {
        await reply(deps, callerOf(one(agents)), ticket.id, { text: 'Soon.' })
        ticket.isAnswered = true
      },
    )
  const followUp = () =>
    withOne(
      those((ticket) => last(ticket) !== 'spam'),
      ({ id }) => tenant.perform((tx, caller) => receiveMessage(tx, caller, id, { text: 'And now?' })),
    )
  const close = () =>
    withOne(
      those((ticket) => ticket.isAnswered && last(ticket) === 'open'),
      (ticket) => put(ticket, 'status', { status: 'closed' }),
    )
  const reopen = () =>
    withOne(
      those((ticket) => last(ticket) === 'closed'),
      (ticket) => put(ticket, 'status', { status: 'open' }),
    )
  const spam = () =>
    withOne(
      those((ticket) => !ticket.isAnswered && last(ticket) === 'open'),
      (ticket) => put(ticket, 'status', { status: 'spam' }),
    )
  const note = () =>
    withOne(
      those(() => true),
      ({ id }) => tenant.perform((tx, caller) => addNote(tx, caller, id, { text: 'Hm.' })),
    )
  const assign = () =>
    withOne(
      those(() => true),
      (ticket) => {
        const userId = one([...agents.map(({ userId }) => userId), null])
        return put(ticket, 'assignee', one([{ userId }, { userId }, { teamId: one([...teamIds, null]) }]))
      },
    )
  const tag = () =>
    withOne(
      those(() => true),
      (ticket) => put(ticket, 'tags', { tags: tags.filter(() => random() < 0.5) }),
    )
  const merge = () =>
    withOne(
      those((ticket) => !ticket.isAnswered && last(ticket) === 'open'),
      async (ticket) => {
        const older = those((other) => last(other) === 'open' && other.id < ticket.id)
        const mails = []
        for (const other of [ticket, ...older]) {
          const { channel } = (await tenant.get(`/v1/tickets/${other.id}`)).body
          if (channel === 'email') mails.push(other)
        }
        if (mails[0] !== ticket || mails.length < 2) return
        const into = one(mails.slice(1))
        await tenant.perform((tx, caller) => mergeTickets(tx, caller, ticket.id, into.id))
        ticket.isGone = true
      },
    )
  const remove = () =>
    withOne(
      those(() => true),
      async (ticket) => {
        await tenant.perform((tx, caller) => deleteTicket(tx, caller, ticket.id))
        ticket.isGone = true
      },
    )
  const rate = () =>
    withOne(
      those((ticket) => last(ticket) === 'closed' && !ticket.isAsked),
      async (ticket) => {
        ticket.isAsked = true
        const asker = one([tenant.caller(), callerOf(one(agents))])
        await app.database.transaction((tx) => sendForm(tx, asker, deps, ticket.id, form.id))
        await app.runDue()
        if (random() < 0.2) return
        const asked = { tenantId: tenant.tenantId, ticketId: ticket.id, formId: form.id }
        const answered = await app.request('POST', `/f/${form.launchCode}/responses`, {
          body: {
            answers: answersTo(form, [Math.floor(random() * 11)]),
            complete: true,
            hiddenFields: { [TICKET_TOKEN]: ticketToken(deps.secrets, asked) },
          },
        })
        if (answered.status !== 201) throw new Error(answered.text)
      },
    )

  const often = [mail, mail, mail, talk, talk, begin, answer, answer, answer, answer, answer, assign, assign, tag, tag]
  const usual = [
    ...often,
    ...often,
    close,
    close,
    close,
    close,
    close,
    followUp,
    followUp,
    reopen,
    note,
    rate,
    rate,
    rate,
    rate,
  ]
  const all = [...usual, ...usual, spam, merge, merge, remove]
  while (clock.now() < until) {
    await one(all)()
    clock.advance((3 + Math.floor(random() * 70)) * MINUTE)
    await app.runDue()
  }
  return { past, mailbox, second }
}
