import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { Header } from 'tar'
import { forms, mailboxes, messages, ruleMisses, ruleRuns, users, webhooks } from '../../src/db/schema.ts'
import { fileKinds } from '../../src/kinds/files.ts'
import { deleteTenant } from '../../src/leaving/deletion.ts'
import { listTenants } from '../../src/tenants/operations.ts'
import { furnish } from '../support/api/furnished.ts'
import { snapshot } from '../support/api/snapshot.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import {
  exported,
  imported,
  type Members,
  membersOf,
  recordsOf,
  scratch,
  setRecords,
  writeMembers,
} from '../support/data/moving.ts'
import { createPublished } from '../support/forms/collecting.ts'

let [source, target, acme] = [undefined, undefined, undefined] as unknown as [TestApp, TestApp, TestTenant]
let [folder, file] = ['', '']
let count = 0
beforeAll(async () => {
  folder = scratch()
  ;[source, target] = [await startApp(), await startApp()]
  acme = await source.createTenant()
  await furnish(acme)
  file = await exported(source, acme.tenantId, folder)
})
afterAll(async () => {
  await source.close()
  await target.close()
})

const messageOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'it was imported',
    ({ message }) => message,
  )

async function filesOf({ deps }: TestApp, tenantId: string): Promise<string[]> {
  const found: string[] = []
  for (const kind of fileKinds) {
    for await (const some of deps.files.list(kind))
      if (some.tenantId === tenantId) found.push(...some.files.map(({ id }) => id))
  }
  return found
}

/** The export, changed. */
function changed(change: (members: Members) => void, manifest?: (given: Record<string, unknown>) => void): string {
  const members = membersOf(file)
  change(members)
  const path = join(folder, `changed-${++count}.tar`)
  writeMembers(path, members, manifest)
  return path
}

/** The export, with a field of the first record of a kind set. */
const withField = (kind: string, field: string, value: unknown) =>
  changed((members) => {
    const [first, ...others] = recordsOf(members, kind)
    setRecords(members, kind, [{ ...first, [field]: value }, ...others])
  })

/** A tar of one member of a type and name, before all of the export. */
function withMember(path: string, type: 'SymbolicLink' | 'File' | 'Directory'): string {
  const header = Buffer.alloc(512)
  new Header({
    path,
    size: 0,
    type,
    mode: 0o600,
    mtime: new Date(),
    linkpath: type === 'SymbolicLink' ? '/etc/passwd' : '',
  }).encode(header, 0)
  const place = join(folder, `member-${++count}.tar`)
  writeFileSync(place, Buffer.concat([header, Buffer.from(readFileSync(file))]))
  return place
}

describe('what is no export of ours is refused, with place and rule, and nothing is written', () => {
  const cases: Record<string, [make: () => string, message: string]> = {
    'a path that leads outside': [
      () => withMember('../../etc/cron.d/x', 'File'),
      '"../../etc/cron.d/x" is nothing that this version exports',
    ],
    'an absolute path': [() => withMember('/etc/x.jsonl', 'File'), '"/etc/x.jsonl" is nothing that'],
    'a file under the name of another kind': [
      () => withMember('files/users/0199aaaa-0000-7000-8000-000000000000', 'File'),
      'is nothing that',
    ],
    'a link': [() => withMember('tickets.jsonl', 'SymbolicLink'), '"tickets.jsonl" is no plain file'],
    'a folder': [() => withMember('files', 'Directory'), '"files" is no plain file'],
    'what lies in it twice': [() => withMember('tickets.jsonl', 'File'), '"tickets.jsonl" is in it twice'],
    'keys, which no export holds': [() => withMember('api_keys.jsonl', 'File'), '"api_keys.jsonl" is nothing that'],
    'a file that no record names': [
      () => changed((members) => members.set('files/uploads/0199aaaa-0000-7000-8000-000000000000', Buffer.from('x'))),
      'files/uploads/0199aaaa-0000-7000-8000-000000000000 is named by no record',
    ],
    'the id of another tenant in a record': [
      () => withField('contacts', 'tenantId', '0199aaaa-0000-7000-8000-000000000000'),
      'contacts.jsonl, line 1: names a tenant',
    ],
    'a column that is not known': [
      () => withField('contacts', 'shoeSize', 44),
      'contacts.jsonl, line 1: has a field "shoeSize" that contacts',
    ],
    'a secret column': [
      () => withField('users', 'passwordHash', 'x'),
      'users.jsonl, line 1: has a field "passwordHash"',
    ],
    'a prototype': [
      () => changed((members) => members.set('tags.jsonl', Buffer.from('{"__proto__":{"id":"x"}}\n'))),
      'tags.jsonl, line 1: has a field "__proto__"',
    ],
    'a number where text belongs': [
      () => withField('contacts', 'name', 7),
      'contacts.jsonl, line 1: its name is no text',
    ],
    'text where a number belongs': [
      () => withField('tickets', 'sequentialNumber', '7'),
      'tickets.jsonl, line 1: its sequentialNumber is no whole number',
    ],
    'a number that is none of ours': [() => withField('tickets', 'sequentialNumber', 2 ** 60), 'is no whole number'],
    'text where true or false belongs': [
      () => withField('contacts', 'unsubscribed', 'no'),
      'its unsubscribed is neither true nor false',
    ],
    'a status that there is not': [
      () => withField('tickets', 'status', 'gone'),
      'tickets.jsonl, line 1: its status is none of open',
    ],
    'a time that is none': [
      () => withField('contacts', 'createdAt', 'yesterday'),
      'contacts.jsonl, line 1: its createdAt is no time',
    ],
    'nothing where something has to be': [
      () => withField('tickets', 'subject', null),
      'tickets.jsonl, line 1: has no subject',
    ],
    'text where a document belongs': [
      () => withField('forms', 'pages', 'none'),
      'forms.jsonl, line 1: its pages is no JSON object or list',
    ],
    'an id that leads to another folder': [
      () => withField('uploads', 'id', '../../key'),
      'uploads.jsonl, line 1: its id is no id',
    ],
    'an address that is none': [
      () => withField('users', 'email', 'Nobody'),
      'users.jsonl, line 1: its address is none',
    ],
    'a line that is no JSON': [
      () => changed((members) => members.set('tags.jsonl', Buffer.from('{"id":\n'))),
      'tags.jsonl, line 1: is no JSON',
    ],
    'a list in the place of a record': [
      () => changed((members) => members.set('tags.jsonl', Buffer.from('[]\n'))),
      'tags.jsonl, line 1: is no JSON object',
    ],
    'a line without an end': [
      () => changed((members) => members.set('tags.jsonl', Buffer.from('{}'))),
      'tags.jsonl, line 1: has no end',
    ],
    'bytes that are no text': [
      () => changed((members) => members.set('tags.jsonl', Buffer.from([0x22, 0xff, 0x22, 10]))),
      'tags.jsonl, line 1: is no JSON',
    ],
    'a document nested beyond measure': [
      () =>
        changed((members) => {
          const text = JSON.stringify({ ...recordsOf(members, 'messages')[0], cc: 0 })
          members.set(
            'messages.jsonl',
            Buffer.from(`${text.replace('"cc":0', `"cc":${'['.repeat(2e5)}${']'.repeat(2e5)}`)}\n`),
          )
        }),
      'messages.jsonl, line 1:',
    ],
    'a record of a tenant that is not in it': [
      () => withField('tickets', 'contactId', '0199aaaa-0000-7000-8000-000000000000'),
      'do not fit to the others',
    ],
    'two records of one id': [
      () =>
        changed((members) =>
          setRecords(members, 'contacts', [...recordsOf(members, 'contacts'), ...recordsOf(members, 'contacts')]),
        ),
      'do not fit to the others',
    ],
    'a newer version’s': [
      () =>
        changed(
          () => {},
          (given) => (given.version = '99.0.0'),
        ),
      'frontdesk 99.0.0 made it',
    ],
    'a newer format’s': [
      () =>
        changed(
          () => {},
          (given) => (given.format = 2),
        ),
      'made it',
    ],
    'a manifest with more than is known': [
      () =>
        changed(
          () => {},
          (given) => (given.plan = 'gold'),
        ),
      'has a member "plan"',
    ],
    'a tenant whose id is none': [
      () =>
        changed(
          () => {},
          (given) => (given.tenantId = '../x'),
        ),
      'has no id as its tenantId',
    ],
    'what its manifest says otherwise': [
      () =>
        changed(
          () => {},
          (given) => (((given.members as { sha256: string }[])[0] as { sha256: string }).sha256 = 'x'),
        ),
      'is not what manifest.json says',
    ],
    'what was cut off': [
      () => {
        const path = join(folder, `cut-${++count}.tar`)
        writeFileSync(path, readFileSync(file).subarray(0, 20_000))
        return path
      },
      'cannot be imported: it',
    ],
    'a name without company': [
      () =>
        changed(
          () => {},
          (given) => (given.name = ''),
        ),
      'name',
    ],
  }
  for (const [what, [make, message]] of Object.entries(cases)) {
    test(what, async () => {
      const before = await snapshot(target)
      expect(await messageOf(imported(target, make()))).toContain(message)
      expect(await snapshot(target)).toEqual(before)
      expect(await listTenants(target.database.db)).toEqual([])
    })
  }
})

test('HTML that was written by hand is sanitised, and what was sanitised stays as it is', async () => {
  const evil = '<p onclick="x()">Hi<script>steal()</script><a href="javascript:x()">there</a></p>'
  const path = changed((members) => {
    const own = recordsOf(members, 'messages')
    setRecords(
      members,
      'messages',
      own.map((message) => ({ ...message, html: `${evil}<p>say &quot;hi&quot;</p>` })),
    )
    const forms = recordsOf(members, 'forms')
    const text = JSON.stringify(forms).replaceAll(/"text":"[^"]*"/g, `"text":${JSON.stringify(evil)}`)
    setRecords(members, 'forms', JSON.parse(text))
  })
  await imported(target, path)
  const stored = JSON.stringify([await target.database.db.select().from(messages), await snapshot(target)])
  expect(stored).toContain('Hi')
  for (const word of ['onclick', 'steal', 'javascript:']) expect([word, stored.includes(word)]).toEqual([word, false])
  await deleteTenant(target.deps, acme.tenantId)
})

test('what no export holds is said, and does not work by itself', async () => {
  const [user] = await target.database.db.select().from(users)
  expect(user).toBeUndefined()
  const path = changed((members) => {
    const [message, ...others] = recordsOf(members, 'messages')
    setRecords(members, 'messages', [{ ...message, state: 'pending' }, ...others])
    const [inbox] = recordsOf(members, 'inboxes')
    const server = { host: 'mail.acme.test', port: 993, security: 'tls', user: 'help' }
    const at = inbox.createdAt
    const mailbox = {
      inboxId: inbox.id,
      revision: 'r',
      imap: server,
      smtp: server,
      provider: null,
      accessUntil: null,
      uidValidity: 1,
      lastUid: 7,
      oldestAt: null,
      lastMailAt: at,
      state: 'connected',
      problem: null,
      detail: null,
      since: at,
      createdAt: at,
    }
    setRecords(members, 'mailboxes', [mailbox])
  })
  const { webhooks: off, mailboxes: lost, people, replies, missing, damaged } = await imported(target, path)
  expect({ off: off.map(({ name }) => name), lost: lost.length, people, replies, missing, damaged }).toEqual({
    off: ['CRM'],
    lost: 1,
    people: 1,
    replies: 1,
    missing: [],
    damaged: [],
  })
  const { db } = target.database
  expect((await db.select().from(webhooks))[0]).toMatchObject({ active: false, sealedSecret: null })
  expect((await db.select().from(users))[0]).toMatchObject({ passwordHash: '-', totpSecret: null })
  expect((await db.select().from(mailboxes))[0]).toMatchObject({ state: 'failing', problem: 'sealed', lastUid: 7 })
  expect((await db.select().from(messages).where(eq(messages.state, 'failed')))[0]?.error).toContain('moved here')
  // What rules did there has numbers that no event here will have.
  const numbers = [...(await db.select().from(ruleRuns)), ...(await db.select().from(ruleMisses))].map(
    ({ number }) => number,
  )
  expect(numbers.every((number) => number <= 0)).toBe(true)
  expect((await target.request('GET', '/v1/contacts', { key: acme.key })).status).toBe(401)
})

describe('what is here already', () => {
  test('the tenant itself: refused, and nothing of it changes', async () => {
    const [before, files] = [await snapshot(target), await filesOf(target, acme.tenantId)]
    expect(files.length).toBeGreaterThan(0)
    expect(await messageOf(imported(target, file))).toContain(`the tenant ${acme.tenantId} is here already`)
    expect([await snapshot(target), await filesOf(target, acme.tenantId)]).toEqual([before, files])
  })

  test('the code of a form of another tenant: refused', async () => {
    await deleteTenant(target.deps, acme.tenantId)
    const globex = await target.createTenant('Globex')
    await createPublished(globex, [{ type: 'nps' }])
    const [{ launchCode }] = recordsOf(membersOf(file), 'forms')
    await target.database.transaction((tx) =>
      tx.update(forms).set({ launchCode }).where(eq(forms.tenantId, globex.tenantId)),
    )
    const before = await snapshot(target)
    expect(await messageOf(imported(target, file))).toContain(`there is a form at ${launchCode} here already`)
    expect([await snapshot(target), await filesOf(target, acme.tenantId)]).toEqual([before, []])
    await deleteTenant(target.deps, globex.tenantId)
    await imported(target, file)
  })

  test('an address of an inbox, or a source, of another tenant: refused', async () => {
    const other = '0199bbbb-0000-7000-8000-000000000000'
    const as = (change: (members: Members) => void) => changed(change, (given) => (given.tenantId = other))
    const before = await snapshot(target)
    const clash = (kinds: readonly string[]) =>
      as((members) => {
        for (const kind of ['inboxes', 'forms', 'livechat_sources', 'alerts', 'checkouts']) {
          if (kinds.includes(kind)) continue
          const fresh = (record: Record<string, unknown>) => ({
            ...record,
            ...(kind === 'inboxes' && record.emailAddress ? { emailAddress: `x${record.emailAddress}` } : {}),
            ...(kind === 'forms' ? { launchCode: `x${record.launchCode}` } : {}),
          })
          setRecords(members, kind, kind === 'alerts' ? [] : recordsOf(members, kind).map(fresh))
        }
      })
    expect(await messageOf(imported(target, clash(['inboxes'])))).toContain(
      `an inbox at help@${acme.tenantId}.test here already`,
    )
    expect(await messageOf(imported(target, clash(['livechat_sources'])))).toContain('a source')
    expect(await snapshot(target)).toEqual(before)
    expect(await filesOf(target, other)).toEqual([])
  })

  test('an address that somebody signs in with: the tenant comes, and it is said', async () => {
    await deleteTenant(target.deps, acme.tenantId)
    const globex = await target.createTenant('Globex')
    const [own] = recordsOf(membersOf(file), 'users')
    await target.database.transaction((tx) =>
      tx.update(users).set({ email: own.email, passwordHash: 'hash' }).where(eq(users.id, globex.userId)),
    )
    expect((await imported(target, file)).elsewhere).toEqual([own.email])
    const both = await target.database.db.select().from(users).where(eq(users.email, own.email))
    expect(both.map(({ passwordHash }) => passwordHash).sort()).toEqual(['-', 'hash'])
    await deleteTenant(target.deps, acme.tenantId)
  })
})

test('interrupted wherever it is, nothing of the tenant is there to be seen, and it begins anew', async () => {
  const before = await snapshot(target)
  const { database, deps } = target
  for (let allowed = 0, isDone = false; !isDone; allowed += 5) {
    let left = allowed
    const dies = () => {
      if (left-- <= 0) throw new Error('killed')
    }
    const files = new Proxy(deps.files, {
      get: (own, name) => {
        const value = Reflect.get(own, name)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (name === 'store') dies()
          return value.apply(own, args)
        }
      },
    })
    const dying = {
      ...database,
      longTransaction: ((work) =>
        database.longTransaction((tx) =>
          work(
            new Proxy(tx, {
              get(own, name) {
                if (name === 'insert') dies()
                return Reflect.get(own, name)
              },
            }),
          ),
        )) as typeof database.longTransaction,
    }
    isDone = await imported({ ...target, database: dying, deps: { ...deps, files } }, file).then(
      () => true,
      ({ message }) => {
        expect(message).toBe('killed')
        return false
      },
    )
    if (!isDone) expect(await snapshot(target)).toEqual(before)
  }
  expect(lines(await exported(target, acme.tenantId, folder))).toEqual(lines(file))
  await deleteTenant(deps, acme.tenantId)
})

const lines = (path: string) => recordsOf(membersOf(path), 'tickets')
