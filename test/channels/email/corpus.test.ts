import { afterAll, expect, test } from 'bun:test'
import { createMailParser } from '../../../src/channels/email/parse.ts'
import type { MailAddress, ParsedAttachment, ParsedMail } from '../../../src/channels/email/parsed-mail.ts'
import { type CorpusMail, corpus, type Expected, type ExpectedFile } from './corpus/index.ts'

// What a mail may take is not what is looked at here.
const parser = createMailParser({ time: 60_000, size: 36 * 1024 * 1024 })
afterAll(() => parser.close())

test('the corpus has a mail of every name once', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60)
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
})

for (const mail of corpus) test(`it reads ${mail.name}`, () => check(mail))

async function check({ raw, expected }: CorpusMail): Promise<void> {
  const result = await parser.parse(raw())
  if ('unreadable' in expected) {
    expect('unreadable' in result && result.unreadable).toMatch(expected.unreadable)
    return
  }
  if (!('mail' in result)) throw new Error(`the mail ${result.unreadable}`)
  const { newText, mailId, ...rest } = result.mail
  expect(summary(rest)).toEqual(ordinary(expected))
  checkText(newText, expected.newText)
  if (expected.mailId !== undefined) checkText(mailId, expected.mailId)
  checkForm(result.mail.text, expected.text)
  checkForm(result.mail.html, expected.html)
  const files = expected.attachments ?? []
  expect(result.mail.attachments).toHaveLength(files.length)
  for (const [index, file] of files.entries()) checkFile(result.mail.attachments[index], file)
}

function checkText(found: string, expected: string | RegExp): void {
  if (typeof expected === 'string') expect(found).toBe(expected)
  else expect(found).toMatch(expected)
}

function checkForm(found: string | null, expected: string | null | undefined): void {
  if (typeof expected === 'string') expect(found).toContain(expected)
  else if (expected === null) expect(found).toBeNull()
}

function checkFile(found: ParsedAttachment | undefined, { content, ...expected }: ExpectedFile): void {
  expect(found).toMatchObject(expected)
  if (content) expect(Buffer.from(found?.content ?? []).equals(content)).toBeTrue()
}

function summary(mail: Omit<ParsedMail, 'newText' | 'mailId'>) {
  const { subject, references, isAutomatic, isFromFrontdesk, bounce } = mail
  return {
    from: shown(mail.from),
    replyTo: mail.replyTo && shown(mail.replyTo),
    to: mail.to.map(shown),
    cc: mail.cc.map(shown),
    ...{ subject, references, isAutomatic, isFromFrontdesk, bounce },
  }
}

/** What is expected, with what goes without saying. */
function ordinary({ newText, mailId, text, html, attachments, ...expected }: Expected): ReturnType<typeof summary> {
  const nothing = { replyTo: null, to: [], cc: [], references: [], isAutomatic: false, isFromFrontdesk: null }
  return { ...nothing, bounce: null, ...expected } as ReturnType<typeof summary>
}

function shown({ name, address }: MailAddress): string {
  return name === null ? address : `${name} <${address}>`
}
