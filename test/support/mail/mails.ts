import type { IncomingMail } from '../../../src/channels/email/incoming-mail.ts'
import { receiveMail } from '../../../src/channels/email/receiving/receive.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { createEmailInbox } from '../tickets/tickets.ts'

/** What a test says of a mail; the rest is filled in. `headers` come after the usual ones, or in their place. */
export interface TestMail {
  from?: string
  to?: string
  subject?: string
  id?: string
  headers?: Record<string, string | null>
  text?: string
  /** Instead of a text: with its own headers, as parts of a multipart have them. */
  body?: string
}

let count = 0

/** A raw mail, with a Message-ID of its own. */
export function rawMail({ from, to, subject, id, headers, text, body }: TestMail = {}): Uint8Array {
  count += 1
  const all: Record<string, string | null> = {
    From: from ?? 'Ada Lovelace <ada@customer.test>',
    To: to ?? 'help@acme.test',
    Subject: subject ?? 'Where is my order?',
    'Message-ID': id ?? `<mail${count}@customer.test>`,
    Date: 'Sun, 01 Mar 2026 09:00:00 +0000',
    'MIME-Version': '1.0',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  const content = body ?? `Content-Type: text/plain; charset=utf-8\r\n\r\n${text ?? 'I ordered a week ago.'}\r\n`
  return Buffer.from(`${lines.join('\r\n')}\r\n${content}`)
}

/** An inbox that mail is delivered to, as the listener would from a server of our own network. */
export async function createMailbox(app: TestApp, tenant: TestTenant, emailAddress?: string) {
  const inbox = await createEmailInbox(tenant, emailAddress ? { emailAddress } : {})
  const address = inbox.emailAddress as string
  const receive = (raw: Uint8Array, more: Partial<IncomingMail> = {}) =>
    receiveMail(app.deps, {
      raw,
      at: app.clock.now(),
      inbox: { tenantId: tenant.tenantId, id: inbox.id },
      envelope: { from: 'bounces@customer.test', recipients: [address] },
      connection: { address: '127.0.0.1', hello: 'relay.acme.test' },
      ...more,
    })
  return {
    id: inbox.id,
    address,
    receive,
    /** Makes a mail and takes it. */
    deliver: (mail: TestMail = {}, more: Partial<IncomingMail> = {}) =>
      receive(rawMail({ to: address, ...mail }), more),
  }
}

export type Mailbox = Awaited<ReturnType<typeof createMailbox>>

/** A mail of two parts: HTML that shows an image, and the image. */
export function htmlWithImage(html: string, image: Uint8Array, contentId = 'logo@customer.test'): string {
  return [
    'Content-Type: multipart/related; boundary="b"',
    '',
    '--b',
    'Content-Type: text/html; charset=utf-8',
    '',
    html,
    '--b',
    'Content-Type: image/png; name="logo.png"',
    'Content-Transfer-Encoding: base64',
    'Content-Disposition: inline; filename="logo.png"',
    `Content-ID: <${contentId}>`,
    '',
    Buffer.from(image).toString('base64'),
    '--b--',
    '',
  ].join('\r\n')
}

/** A delivery report (RFC 3464) about a mail. */
export function deliveryReport(mailId: string | null, { action = 'failed', status = '5.1.1' } = {}): TestMail {
  const body = [
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    '',
    '--r',
    'Content-Type: text/plain',
    '',
    'Your message could not be delivered.',
    '--r',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.customer.test',
    '',
    'Final-Recipient: rfc822; ada@customer.test',
    `Action: ${action}`,
    `Status: ${status}`,
    'Diagnostic-Code: smtp; 550 5.1.1 No such user here',
    '',
    '--r',
    'Content-Type: text/rfc822-headers',
    '',
    ...(mailId === null ? [] : [`Message-ID: ${mailId}`]),
    'Subject: Re: Where is my order?',
    '',
    '--r--',
    '',
  ].join('\r\n')
  return { from: 'MAILER-DAEMON@customer.test', subject: 'Undelivered Mail', body }
}
