import { afterAll, expect, test } from 'bun:test'
import { createMailParser, parseMail } from '../../../src/channels/email/parse.ts'
import type { ParsedMail } from '../../../src/channels/email/parsed-mail.ts'
import { contentOf } from '../../../src/tickets/thread/content.ts'
import { base64, eml, PDF } from './corpus/mail.ts'

const MIB = 1024 * 1024
const ENOUGH = { time: 60_000, size: 36 * MIB }

const parser = createMailParser(ENOUGH)
afterAll(() => parser.close())

const ORDINARY = eml`
From: charles@engine.example
To: help@acme.test
Subject: Engines
Message-ID: <ordinary@engine.example>

It runs.
`

async function read(raw: Uint8Array): Promise<ParsedMail> {
  const result = await parser.parse(raw)
  if (!('mail' in result)) throw new Error(`the mail ${result.unreadable}`)
  return result.mail
}

test('a mail that takes too long is given up with what is known of it; others are read meanwhile and after', async () => {
  const limits = { ...ENOUGH, time: 400 }
  const hasty = createMailParser(limits)
  const head = ORDINARY().toString().replace('Engines', 'Endless')
  const endless = hasty.parse(Buffer.concat([Buffer.from(head), Buffer.alloc(35 * MIB, '\n')]))
  limits.time = ENOUGH.time
  const meanwhile = hasty.parse(ORDINARY())
  expect(await meanwhile).toMatchObject({ mail: { newText: 'It runs.' } })
  expect(await endless).toEqual({
    unreadable: 'takes longer than 400 ms to read',
    from: 'charles@engine.example',
    subject: 'Endless',
    mailId: '<ordinary@engine.example>',
  })
  const after = await Promise.all([hasty.parse(ORDINARY()), hasty.parse(ORDINARY())])
  expect(after).toMatchObject([{ mail: { subject: 'Engines' } }, { mail: { subject: 'Engines' } }])
  hasty.close()
})

test('the service reads mail, too', async () => {
  expect(await parseMail(ORDINARY())).toMatchObject({ mail: { newText: 'It runs.' } })
})

test('a mail beyond the size is not looked at', async () => {
  const small = createMailParser({ ...ENOUGH, size: 1 * MIB })
  expect(await small.parse(Buffer.alloc(MIB + 1, 'a'))).toEqual({
    unreadable: 'is larger than 1 MiB',
    from: null,
    subject: null,
    mailId: null,
  })
  small.close()
})

test('many mails at once are each answered with themselves', async () => {
  const raws = Array.from({ length: 40 }, (_, index) =>
    Buffer.from(ORDINARY().toString().replace('Engines', `Engine ${index}`)),
  )
  const mails = await Promise.all(raws.map(read))
  expect(mails.map(({ subject }) => subject)).toEqual(raws.map((_, index) => `Engine ${index}`))
})

test('mails that take different times are each answered with themselves', async () => {
  const raws = Array.from({ length: 12 }, (_, index) =>
    Buffer.concat([
      Buffer.from(ORDINARY().toString().replace('Engines', `Engine ${index}`)),
      Buffer.alloc(index % 3 === 0 ? 60_000 : 0, 'It runs and runs.\r\n'),
    ]),
  )
  const results = await Promise.all(raws.map((raw) => read(raw)))
  expect(results.map(({ subject }) => subject)).toEqual(raws.map((_, index) => `Engine ${index}`))
})

test('the raw mail stays as it was for whoever keeps it', async () => {
  const raw = ORDINARY()
  await read(raw)
  expect(raw.equals(ORDINARY())).toBeTrue()
})

test('the same words without an id have the same id, whatever servers put above them; others have another', async () => {
  const bare = Buffer.from(
    ORDINARY()
      .toString()
      .replace(/^Message-ID.*\r\n/m, ''),
  )
  const { mailId } = await read(bare)
  expect((await read(bare)).mailId).toBe(mailId)
  expect((await read(Buffer.concat([Buffer.from('Received: from mx (mx)\r\n\tby us\r\n'), bare]))).mailId).toBe(mailId)
  expect((await read(Buffer.from(bare.toString().replace('runs', 'stands')))).mailId).not.toBe(mailId)
  expect((await read(Buffer.from(bare.toString().replace('Engines', 'Engine')))).mailId).not.toBe(mailId)
})

test('25 MiB of files arrive exact to the byte', async () => {
  const content = Buffer.alloc(25 * MIB - PDF.length)
  for (let at = 0; at < content.length - 4; at += 4) content.writeUInt32LE((at * 2654435761) >>> 0, at)
  const mail = await read(
    eml`
From: charles@engine.example
To: help@acme.test
Subject: Plans
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b

See there.
--b
Content-Type: application/octet-stream; name=plans.bin
Content-Transfer-Encoding: base64

${base64(content)}
--b
Content-Type: application/pdf; name=plans.pdf
Content-Transfer-Encoding: base64

${base64(PDF)}
--b--
`(),
  )
  expect(mail.attachments.map(({ fileName }) => fileName)).toEqual(['plans.bin', 'plans.pdf'])
  expect(Buffer.from(mail.attachments[0]?.content ?? []).equals(content)).toBeTrue()
  expect(Buffer.from(mail.attachments[1]?.content ?? []).equals(PDF)).toBeTrue()
})

const LONG: Record<string, string> = {
  'tags without end': '<div>'.repeat(100_000),
  'angle brackets alone': '<'.repeat(300_000),
  'ampersands alone': '&'.repeat(300_000),
  'lines deep in quotes': `${'<blockquote>'.repeat(40)}<pre>${'x\n'.repeat(30_000)}`,
  'a letter of four bytes': '😀'.repeat(100_000),
  'an attribute without end': `<p title="${'a'.repeat(300_000)}">`,
}

for (const [name, words] of Object.entries(LONG)) {
  test(`a message takes what was read of ${name}, as HTML and as text`, async () => {
    const head = ORDINARY().toString().split('\r\n\r\n')[0]
    for (const type of ['text/html', 'text/plain']) {
      const { html, text } = await read(
        Buffer.from(`${head}\r\nContent-Type: ${type}; charset=utf-8\r\n\r\nHi${words}`),
      )
      expect(contentOf({ html, text }).text).toStartWith('Hi')
    }
  })
}

test('a mail that brings more than 25 MiB of files is not read, however they are written', async () => {
  const raw = eml`
From: charles@engine.example
Subject: Plans
Message-ID: <large@engine.example>
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: application/octet-stream; name=a.bin

${'a'.repeat(13 * MIB)}
--b
Content-Type: application/octet-stream; name=b.bin

${'b'.repeat(13 * MIB)}
--b--
`
  expect(await parser.parse(raw())).toEqual({
    unreadable: 'brings more than 25 MiB of files',
    from: 'charles@engine.example',
    subject: 'Plans',
    mailId: '<large@engine.example>',
  })
})

test('a small file of a large mail holds no more memory than itself', async () => {
  const mail = await read(
    eml`
From: charles@engine.example
Subject: Plans
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: application/octet-stream; name=a.bin

${'a'.repeat(MIB)}
--b
Content-Type: text/csv; name=b.csv

1;2
--b--
`(),
  )
  expect(mail.attachments.map(({ content }) => content.buffer.byteLength)).toEqual([MIB, 3])
})
