import { commandCaller } from '../../src/caller.ts'
import type { Database } from '../../src/db/index.ts'
import { addSentReply } from '../../src/tickets/replies/sent-replies.ts'
import { connectSmtp, mailText } from '../support/mail/smtp.ts'
import type { Chats } from './chats.ts'
import type { Ledger } from './ledger.ts'
import { ADDRESS, type Site } from './site.ts'

interface Workplace {
  /** Of the service. */
  readonly url: string
  readonly smtpPort: number
  /** The service's, for what agents answer in chats: another process writes it, as a command or another node would. */
  readonly database: Database
  readonly site: Site
  readonly chats: Chats
  readonly ledger: Ledger
}

/** What people and programs do, each so many times a minute. */
const PACE = {
  'contact created': 120,
  'contacts read': 240,
  'form answered': 60,
  'chat message': 120,
  'chat answered': 60,
  'visitor replaced': 30,
  'mail received': 30,
  'mail answered': 20,
  'ticket closed': 20,
} as const

type Act = keyof typeof PACE

const newText = () => `Soak ${crypto.randomUUID()}`

/** Each of these does one thing, and throws when it is refused. */
function actsOf({ url, smtpPort, database, site, chats, ledger }: Workplace): Record<Act, () => Promise<void>> {
  const ask = async (method: string, path: string, status: number, body?: object, token?: string) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : { 'x-api-key': site.key }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (response.status !== status) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? null : JSON.parse(text)
  }
  const ticketsByMail = async (): Promise<{ id: string }[]> =>
    (await ask('GET', `/v1/tickets?inbox_id=${site.inboxId}&status=open&limit=25`, 200)).items

  return {
    async 'contact created'() {
      const email = `${crypto.randomUUID()}@customer.test`
      ledger.acknowledge('contact', (await ask('POST', '/v1/contacts', 201, { email, name: 'Ada' })).id)
    },
    async 'contacts read'() {
      await ask('GET', '/v1/contacts?limit=25', 200)
    },
    async 'form answered'() {
      const [score, why] = site.questionIds
      const answers = [
        { questionId: score, value: 3 },
        { questionId: why, value: newText() },
      ]
      const made = await ask('POST', `/f/${site.launchCode}/responses`, 201, { answers, complete: true })
      ledger.acknowledge('response', made.id)
    },
    async 'chat message'() {
      const { conversationId, token } = chats.someone()
      const text = newText()
      const path = `/chat/${site.sourceId}/conversations/${conversationId}/messages`
      await ask('POST', path, 201, { text }, token)
      ledger.acknowledge('message', text)
    },
    async 'chat answered'() {
      const { conversationId, arrivals } = chats.someone()
      const text = newText()
      arrivals.set(text, () => {
        arrivals.delete(text)
        ledger.count('chat answer seen by its visitor')
      })
      const caller = commandCaller(site.tenantId, Date.now())
      await database.transaction((tx) => addSentReply(tx, caller, conversationId, { text }))
      ledger.acknowledge('message', text)
    },
    'visitor replaced': () => chats.replaceOne(),
    async 'mail received'() {
      const id = `<${crypto.randomUUID()}@customer.test>`
      const client = await connectSmtp(smtpPort)
      try {
        await client.begin(ADDRESS)
        const headers = { 'Message-ID': id, From: `${crypto.randomUUID()}@customer.test` }
        const answer = await client.say(`${mailText(headers)}.`)
        if (!answer.startsWith('250')) throw new Error(`mail: ${answer}`)
        ledger.acknowledge('mail', id)
        await client.say('QUIT')
      } finally {
        client.close()
      }
    },
    async 'mail answered'() {
      const [newest] = await ticketsByMail()
      if (!newest) return
      const text = newText()
      await ask('POST', `/v1/tickets/${newest.id}/replies`, 201, { html: `<p>${text}</p>`, text })
      ledger.acknowledge('message', text)
      ledger.acknowledge('answer', text)
    },
    async 'ticket closed'() {
      const oldest = (await ticketsByMail()).at(-1)
      if (oldest) await ask('PUT', `/v1/tickets/${oldest.id}/status`, 200, { status: 'closed' })
    },
  }
}

/** Does all of it at its pace until `signal` is aborted; what a slow service delays is not made up for. */
export async function keepWorking(workplace: Workplace, signal: AbortSignal): Promise<void> {
  const { ledger } = workplace
  const acts = Object.entries(actsOf(workplace)) as [Act, () => Promise<void>][]
  const repeat = async ([name, act]: [Act, () => Promise<void>]) => {
    const pause = 60_000 / PACE[name]
    while (!signal.aborted) {
      const began = performance.now()
      await act().then(
        () => ledger.count(name),
        (error) => ledger.fault(`${name}: ${error}`),
      )
      await Bun.sleep(Math.max(0, began + pause - performance.now()))
    }
  }
  await Promise.all(acts.map(repeat))
}
