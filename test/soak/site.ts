import { createSource } from '../../src/articles/sources.ts'
import { commandCaller } from '../../src/caller.ts'
import { openDatabase } from '../../src/db/index.ts'
import { createForm } from '../../src/forms/operations.ts'
import { questionsOf } from '../../src/forms/pages.ts'
import { publishForm } from '../../src/forms/publishing.ts'
import { createInbox } from '../../src/inboxes/operations.ts'
import { createKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { createUser } from '../../src/users/accounts.ts'
import { NO_PASSWORD } from '../../src/users/passwords/passwords.ts'
import { staffOf } from '../bench/desk/staff.ts'

export const ADDRESS = 'help@acme.test'
const AGENTS = 20

/** What is asked next depends on what was answered. */
const QUESTIONS = [
  { type: 'nps', text: 'How likely are you to recommend us?', friendlyId: 'SCORE' },
  {
    type: 'textbox',
    text: 'What went wrong?',
    friendlyId: 'WHY',
    showIf: { match: 'all', conditions: [{ question: 'SCORE', op: 'at_most', value: 6 }] },
  },
]

/** Where people of a company work and are written to. */
export interface Site {
  readonly tenantId: string
  readonly key: string
  readonly sourceId: string
  readonly inboxId: string
  readonly launchCode: string
  /** Of the form's score and of the text that is asked for where it is low. */
  readonly questionIds: readonly [score: number, why: number]
  /** Of agents' sessions. */
  readonly cookies: readonly string[]
}

/** A company with a form, a chat, an inbox of mail and agents who are signed in, in a new data folder. */
export async function furnish(dataDir: string): Promise<Site> {
  const database = await openDatabase({ dataDir })
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Soak' }, Date.now()))
  const caller = commandCaller(tenantId, Date.now())
  const made = await database.transaction(async (tx) => {
    await createUser(tx, caller, { email: 'ada@acme.test', role: 'admin', billable: true, passwordHash: NO_PASSWORD })
    const { key } = await createKey(tx, caller, { name: 'soak', scopes, expiresAt: null })
    const chat = await createInbox(tx, caller, { name: 'Chat', channel: 'livechat' })
    const source = await createSource(tx, caller, { name: 'Soak', inboxId: chat.id })
    const mail = await createInbox(tx, caller, { name: 'Help', channel: 'email', emailAddress: ADDRESS })
    const form = await createForm(tx, caller, { title: 'Soak', questions: QUESTIONS })
    await publishForm(tx, caller, form.id)
    const [score = 0, why = 0] = questionsOf(form.pages).map(({ id }) => id)
    const questionIds = [score, why] as const
    return { key, sourceId: source.id, inboxId: mail.id, launchCode: form.launchCode, questionIds }
  })
  await database.close()
  return { ...made, tenantId, cookies: (await staffOf(dataDir, AGENTS)).cookies }
}
