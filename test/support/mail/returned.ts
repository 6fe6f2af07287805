/* What machines make of a mail that they did not deliver, or that they answer. */

/** The headers of a raw mail, and what follows them. */
export function partsOf(raw: string): { head: string; body: string } {
  const at = raw.indexOf('\r\n\r\n')
  return { head: raw.slice(0, at + 2), body: raw.slice(at + 4) }
}

/** A header's value, in one line. */
export function headerOf(raw: string, name: string): string {
  const { head } = partsOf(raw)
  return (new RegExp(`^${name}:((?:.*\r\n)(?:[ \t].*\r\n)*)`, 'im').exec(head)?.[1] ?? '').replace(/\r\n/g, '').trim()
}

/** The mail as it is after servers that put headers of their own in the place of these. */
export function without(raw: string, ...names: string[]): string {
  const { head, body } = partsOf(raw)
  const kept = names.reduce(
    (rest, name) => rest.replace(new RegExp(`^${name}:.*\r\n(?:[ \t].*\r\n)*`, 'gim'), ''),
    head,
  )
  return `${kept}\r\n${body}`
}

export interface ReportOptions {
  /** What comes along of the mail: all of it, its headers, all of it in Base64, or quoted in the words. */
  returns?: 'whole' | 'headers' | 'base64' | 'quoted' | 'nothing'
  action?: 'failed' | 'delayed'
  from?: string
  to?: string
}

/** A report that a mail was not delivered (RFC 3464). */
export function reportOf(
  raw: string,
  { returns = 'whole', action = 'failed', from = 'MAILER-DAEMON@mx.customer.test', to }: ReportOptions = {},
): Uint8Array {
  const recipient = /<?([^\s<>]+@[^\s<>]+)>?/.exec(headerOf(raw, 'To'))?.[1]
  const quoted = returns === 'quoted' ? `\r\n${raw.replace(/^(?!\n)/gm, '> ')}` : ''
  const returned = {
    whole: `Content-Type: message/rfc822\r\n\r\n${raw}`,
    headers: `Content-Type: text/rfc822-headers\r\n\r\n${partsOf(raw).head}`,
    base64: `Content-Type: application/octet-stream; name="mail.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n${inLines(Buffer.from(raw).toString('base64'))}`,
    quoted: null,
    nothing: null,
  }[returns]
  const parts = [
    `Content-Type: text/plain\r\n\r\nYour mail was not delivered.${quoted}`,
    `Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.customer.test\r\n\r\nFinal-Recipient: rfc822; ${recipient}\r\nAction: ${action}\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550 5.1.1 User unknown`,
    ...(returned === null ? [] : [returned]),
  ]
  return Buffer.from(
    [
      `From: ${from}`,
      `To: ${to ?? headerOf(raw, 'From')}`,
      'Subject: Undelivered Mail Returned to Sender',
      `Message-ID: <${crypto.randomUUID()}@mx.customer.test>`,
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
      '',
      ...parts.flatMap((part) => ['--r', part]),
      '--r--',
      '',
    ].join('\r\n'),
  )
}

/** An answer to a mail. `quotes` repeats it below; `headers` say who answers, and how. */
export function answerTo(
  raw: string,
  quotes: boolean,
  headers: Record<string, string>,
  words = 'I am away.',
): Uint8Array {
  const { body } = partsOf(raw)
  const lines = Object.entries({
    From: 'New <new@customer.test>',
    To: headerOf(raw, 'From'),
    Subject: `Re: ${headerOf(raw, 'Subject')}`,
    'Message-ID': `<${crypto.randomUUID()}@customer.test>`,
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // As programs that break long lines have it, marks and all.
  const whole = body.replaceAll('=\r\n', '').replaceAll('\r\n', '\n')
  const quoted = whole.replace(/.{60}/g, '$&\n').replace(/^/gm, '> ').replaceAll('\n', '\r\n')
  return Buffer.from(`${lines.join('')}Content-Type: text/plain\r\n\r\n${words}\r\n${quotes ? quoted : ''}`)
}

function inLines(base64: string): string {
  return base64.replace(/.{76}/g, '$&\r\n')
}
