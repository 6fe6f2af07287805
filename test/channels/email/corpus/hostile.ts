import { hostileHtml } from '../../../support/pages/hostile-html.ts'
import { type CorpusMail, eml } from './mail.ts'

const HEAD = 'From: mallory@elsewhere.example\r\nTo: help@acme.test\r\nSubject: Hostile\r\nMIME-Version: 1.0\r\n'
const from = 'mallory@elsewhere.example'
const to = ['help@acme.test']

/** Mails that mean harm. Each has the answer that it gets: they are read in bounds, or go to the quarantine. */
export const hostile: readonly CorpusMail[] = [
  {
    name: 'nested 10,000 levels deep',
    raw: () => Buffer.from(`${HEAD}${levels(10_000)}Content-Type: text/plain\r\n\r\nDown here\r\n`),
    expected: { unreadable: /nests deeper than 100 parts/ },
    outcome: 'quarantined',
  },
  {
    name: 'nested 90 levels deep',
    raw: () =>
      Buffer.from(`${HEAD}Message-ID: <deep@x.example>\r\n${levels(90)}Content-Type: text/plain\r\n\r\nDown here\r\n`),
    expected: { from, to, subject: 'Hostile', newText: 'Down here' },
    outcome: 'created',
  },
  {
    name: 'mails within mails, 10,000 deep',
    raw: () =>
      Buffer.from(`${HEAD}Message-ID: <mails@x.example>\r\n${'Content-Type: message/rfc822\r\n\r\n'.repeat(10_000)}Hi`),
    expected: {
      from,
      to,
      subject: 'Hostile',
      newText: '',
      attachments: [
        {
          contentType: 'message/rfc822',
          content: Buffer.from(`${'Content-Type: message/rfc822\r\n\r\n'.repeat(9_999)}Hi`),
        },
      ],
    },
    outcome: 'created',
  },
  {
    name: 'a million parts',
    raw: () =>
      Buffer.from(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1e6)}--b--`),
    expected: { from, to, subject: 'Hostile', newText: /^x/ },
    outcome: 'created',
  },
  {
    name: 'headers without end',
    raw: () => Buffer.from(`${HEAD}${'X-More: and more\r\n'.repeat(1e6)}\r\nHi`),
    expected: { unreadable: /has headers of more than 256 KiB/ },
    outcome: 'quarantined',
  },
  {
    name: 'one header without end',
    raw: () => Buffer.from(`${HEAD}X-More: ${'a'.repeat(2e7)}\r\n\r\nHi`),
    expected: { unreadable: /has headers of more than 256 KiB/ },
    outcome: 'quarantined',
  },
  {
    name: 'long headers in each of many parts',
    raw: () => {
      const part = `--b\r\n${'X-More: and more\r\n'.repeat(2000)}\r\nx\r\n`
      return Buffer.from(`${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n${part.repeat(500)}--b--`)
    },
    expected: { unreadable: /has headers of more than 1024 KiB in all/ },
    outcome: 'quarantined',
  },
  {
    name: '100 MB',
    raw: () => Buffer.concat([Buffer.from(`${HEAD}\r\n`), Buffer.alloc(1e8, 'large \r\n')]),
    expected: { unreadable: /is larger than 36 MiB/ },
    outcome: 'quarantined',
  },
  {
    name: '10,000 recipients',
    raw: () => {
      const recipients = Array.from({ length: 10_000 }, (_, index) => `"Number ${index}" <number${index}@x.example>`)
      return Buffer.from(`${HEAD}Cc: ${recipients.join(',\r\n ')}\r\n\r\nHi`)
    },
    expected: { unreadable: /has headers of more than 256 KiB/ },
    outcome: 'quarantined',
  },
  {
    name: 'a subject of encoded words without end',
    raw: () =>
      Buffer.from(
        `From: ${from}\r\nMessage-ID: <words@x.example>\r\nSubject: ${'=?utf-8?Q?=C3=A4?= '.repeat(9000)}\r\n\r\nHi`,
      ),
    expected: { from, subject: 'ä'.repeat(1000), newText: 'Hi' },
    outcome: 'created',
  },
  {
    name: 'base64 that ends a million times',
    raw: () =>
      Buffer.from(
        `${HEAD}Message-ID: <padding@x.example>\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QQ==\r\n'.repeat(1e6)}`,
      ),
    expected: { from, to, subject: 'Hostile', newText: 'A'.repeat(200) },
    outcome: 'created',
  },
  {
    name: 'new header lines in name, subject, file name and ids',
    raw: eml`
From: =?utf-8?Q?Mallory=0D=0ABcc=3A_victim=40x.example?= <mallory@elsewhere.example>
To: help@acme.test
Subject: =?utf-8?Q?Hello=0D=0ABcc:_victim@x.example=0D=0A=0D=0AInjected?=
Message-ID: <crlf@elsewhere.example>
References: <a@b>${Buffer.from('\r')}Bcc: <c@d>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

Hi
--b
Content-Type: text/csv
Content-Disposition: attachment; filename*=utf-8''a%0D%0AX-Evil%3A%20b.csv

1
--b--
`,
    expected: {
      from: 'Mallory Bcc: victim@x.example <mallory@elsewhere.example>',
      to,
      subject: 'Hello Bcc: victim@x.example Injected',
      newText: 'Hi',
      references: ['<a@b>', '<c@d>'],
      attachments: [{ fileName: 'a X-Evil: b.csv', contentType: 'text/csv', content: Buffer.from('1') }],
    },
    outcome: 'created',
  },
  {
    name: 'every script that pages were ever attacked with',
    raw: () =>
      Buffer.from(
        `${HEAD}Message-ID: <xss@x.example>\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Hello</p>${hostileHtml.map((html) => html.replace(/[\r\n]+/g, ' ')).join('\r\n')}`,
      ),
    expected: { from, to, subject: 'Hostile', newText: /^Hello\n/, html: '<script>alert(1)</script>' },
    outcome: 'created',
  },
  {
    name: 'quotes within quotes without end',
    raw: () =>
      Buffer.from(
        `${HEAD}Message-ID: <quotes@x.example>\r\nContent-Type: text/html\r\n\r\n<p>Hi</p>${'<blockquote>'.repeat(40)}<pre>${'x\n'.repeat(20_000)}`,
      ),
    expected: { from, to, subject: 'Hostile', newText: 'Hi' },
    outcome: 'created',
  },
]

function levels(depth: number): string {
  return Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
  ).join('')
}
