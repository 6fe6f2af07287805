import { tryAndConnect } from '../../../src/channels/email/mailboxes/connecting.ts'
import type { Letterbox } from '../../../src/channels/email/mailboxes/fetching.ts'
import { parseServerUrl } from '../../../src/channels/email/mailboxes/server-url.ts'
import { MailboxWatch, type WatchOptions } from '../../../src/channels/email/mailboxes/watch.ts'
import { createInbox } from '../../../src/inboxes/operations.ts'
import type { TestApp, TestTenant } from '../app.ts'
import type { ImapServer } from './imap-server.ts'

/** A mail of few words. */
export function mailOf(subject: string, { id = subject, date = '', text = 'Hello' } = {}): string {
  const name = id.replace(/\W+/g, '-').toLowerCase()
  const lines = [
    'From: Ada <ada@example.com>',
    'To: help@acme.test',
    `Subject: ${subject}`,
    `Message-ID: <${name}@example.com>`,
    `Date: ${date || 'Sun, 01 Mar 2026 09:00:00 +0000'}`,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${text}\r\n`
}

/** An email inbox; each has an address of its own. */
export async function createMailInbox(tenant: TestTenant) {
  const emailAddress = `help@${tenant.tenantId}.test`
  return tenant.perform((tx, caller) => createInbox(tx, caller, { name: 'Support', channel: 'email', emailAddress }))
}

/** An inbox of the tenant, connected to a mailbox as the command line would. */
export async function createConnected(
  app: TestApp,
  tenant: TestTenant,
  servers: { imap: Pick<ImapServer, 'url'>; smtp: { url: string } },
  more: Partial<Parameters<typeof tryAndConnect>[2]> & { user?: string } = {},
) {
  const { user, ...request } = more
  const inbox = request.inboxId ? { id: request.inboxId } : await createMailInbox(tenant)
  const connection = await tryAndConnect(app.deps, tenant.caller(), {
    inboxId: inbox.id,
    imap: parseServerUrl('imap', servers.imap.url(user)),
    smtp: parseServerUrl('smtp', servers.smtp.url),
    provider: null,
    secret: 'secret',
    ...request,
  })
  return { inboxId: inbox.id, connection }
}

/** Keeps what it is given, and can be made to fail. */
export function keepingLetterbox() {
  const subjects: string[] = []
  const refused: { header: string; reason: string }[] = []
  let failure: ((subject: string) => Error | null) | null = null
  const letterbox: Letterbox = {
    async receive(_, raw) {
      const subject = /^Subject: (.*)\r$/m.exec(Buffer.from(raw).toString())?.[1] ?? ''
      const error = failure?.(subject)
      if (error) throw error
      subjects.push(subject)
    },
    async refuse(_, header, reason) {
      refused.push({ header: Buffer.from(header).toString(), reason })
    },
  }
  return {
    letterbox,
    subjects,
    refused,
    failWith(next: typeof failure) {
      failure = next
    },
  }
}

/** Mailboxes as a service keeps them open, moved on by the test alone. Its waits are as long as they get. */
export function watching(app: TestApp, letterbox: Letterbox, options: WatchOptions = {}) {
  const watch = new MailboxWatch(app.deps, letterbox, { random: () => 1, ...options })
  return {
    watch,
    /** What the scheduler does at one look. Returns in how many milliseconds there is something to do again. */
    async look(): Promise<number | null> {
      const now = app.clock.now()
      const due = await watch.nextDue(now)
      if (due !== null && due <= now) await watch.run()
      return due === null ? null : due - now
    },
    stop: () => watch.stop(10_000),
  }
}
