import { slowHash } from '../../../src/secrets/slow-hash.ts'
import { createUser } from '../../../src/users/accounts.ts'
import { setAfterDone } from '../../../src/users/changes.ts'
import { type Answer, CHEAP_HASHES, type TestApp, type TestTenant } from '../app.ts'

export const PASSWORD = 'correct horse battery'
const passwordHash = slowHash(PASSWORD, CHEAP_HASHES.password)

/** Somebody who works for a tenant, and can sign in with `PASSWORD`. */
export async function createPerson(
  tenant: TestTenant,
  role: 'admin' | 'agent' = 'admin',
  email = `${role}-${crypto.randomUUID().slice(0, 8)}@acme.test`,
) {
  const hash = await passwordHash
  const user = { email, role, billable: false, passwordHash: hash }
  const { userId } = await tenant.perform((tx, caller) => createUser(tx, caller, user))
  return { userId, email, role, tenantId: tenant.tenantId }
}

export type Person = Awaited<ReturnType<typeof createPerson>>

/** Has somebody stay at tickets that they are done with, for tests that look at these then. */
export async function stayAtTickets(tenant: TestTenant, { userId }: Pick<Person, 'userId'>): Promise<void> {
  await tenant.perform((tx, caller) => setAfterDone(tx, caller, userId, 'ticket'))
}

/** Of a page on which two elements have one id, a label may name the wrong one: its words then tick nothing, and nobody hears them. */
function requireUniqueIds({ headers, text }: Answer): void {
  if (!headers.get('content-type')?.startsWith('text/html')) return
  const ids = [...text.replace(/<template.*?<\/template>/gs, '').matchAll(/<[a-z][^<>]*? id="([^"]*)"/g)].map(
    ([, id]) => id,
  )
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index)
  if (twice.length > 0) throw new Error(`ids stand twice on the page: ${twice.join(', ')}`)
}

/** What a browser does, without one: keeps cookies, and sends forms with the fields that the page wrote into them. */
export class ConsoleBrowser {
  readonly cookies = new Map<string, string>()
  /** Sent with every request. */
  headers: Record<string, string> = {}

  constructor(private readonly app: TestApp) {}

  async request(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ')
    const isForm = body instanceof URLSearchParams
    const answer = await this.app.request(method, path, {
      ...(body === undefined ? {} : { body: isForm ? body.toString() : (body as string) }),
      headers: {
        ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...(cookie ? { cookie } : {}),
        ...this.headers,
        ...headers,
      },
    })
    for (const header of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? []
      if (/max-age=0/i.test(header)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    requireUniqueIds(answer)
    return answer
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.request('GET', path, undefined, headers)
  }

  /** Sends a form with the token of this session, as pages carry it. Fields with several values are lists. */
  async post(
    path: string,
    fields: Record<string, string | readonly string[]> = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const body = new URLSearchParams()
    for (const [name, value] of Object.entries({ csrf: await this.csrf(), ...fields })) {
      for (const one of typeof value === 'string' ? [value] : value) body.append(name, one)
    }
    return this.request('POST', path, body, headers)
  }

  /** The page that a form leads to. */
  async follow(answer: Answer): Promise<Answer> {
    return this.get(answer.headers.get('location') ?? '')
  }

  /** The token of this session. */
  async csrf(): Promise<string> {
    const { text } = await this.get('/console/no-such-page')
    return /name="csrf-token" content="([^"]*)"/.exec(text)?.[1] ?? ''
  }

  signIn(email: string, password = PASSWORD, fields: Record<string, string> = {}): Promise<Answer> {
    return this.request('POST', '/console/sign-in', new URLSearchParams({ email, password, ...fields }))
  }
}

/** A browser that somebody of the tenant has signed in with. */
export async function signedIn(app: TestApp, tenant: TestTenant, role: 'admin' | 'agent' = 'admin') {
  const person = await createPerson(tenant, role)
  const browser = new ConsoleBrowser(app)
  const answer = await browser.signIn(person.email)
  if (answer.status !== 303) throw new Error(`sign-in: ${answer.status} ${answer.text}`)
  return Object.assign(browser, { person })
}
