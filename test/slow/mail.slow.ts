import { expect, test } from 'bun:test'
import { parseMail } from '../../src/channels/email/parse.ts'

const HEAD = Buffer.from('From: mallory@elsewhere.example\r\nSubject: Slow\r\n\r\n')

/** Words on which patterns for quotes were seen to hang for seconds. */
const SLOW: Record<string, string> = {
  'beginnings of attributions': `${'On a '.repeat(60)}\n`.repeat(3000),
  'blank lines within one': `On ${' x\n\n'.repeat(100_000)}`,
  'Dutch without an end': 'Op a\n'.repeat(60_000),
  'Polish without an end': `Dnia ${'napisał'.repeat(20)}\n`.repeat(6000),
  'Chinese without an end': '在写道\n'.repeat(60_000),
  'Danish without an end': 'abc. skrev skrev skrev\n'.repeat(60_000),
  'brackets that never close': 'From: <<<<< \n'.repeat(60_000),
  'blanks without end': `${' '.repeat(1_000_000)}a`,
  'dashes without end': `${'-'.repeat(1_000_000)}a`,
}

test('words that are made to keep patterns busy are read within the second that a mail has', async () => {
  for (const words of Object.values(SLOW)) {
    const raw = Buffer.concat([HEAD, Buffer.from(words)])
    expect(await parseMail(raw)).toHaveProperty('mail.subject', 'Slow')
  }
})
