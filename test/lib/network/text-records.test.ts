import { expect, test } from 'bun:test'
import { resolveTexts } from '../../../src/lib/network/text-records.ts'
import { startNameServer } from '../../support/servers/name-server.ts'

/** What a server that answers so says of `acme.test`, or the code of the failure. */
async function asked(
  texts: readonly string[],
  { name = 'acme.test', datagrams }: { name?: string; datagrams?: (answer: Buffer) => readonly Buffer[] } = {},
): Promise<string[][] | string> {
  const server = await startNameServer({ 'acme.test': { TXT: texts } }, datagrams)
  try {
    return await resolveTexts(name, [server.address]).catch((error) => String(error.code))
  } finally {
    server.close()
  }
}

test('records come each in their pieces, wherever they were cut', async () => {
  const long = 'x'.repeat(300)
  expect(await asked(['v=spf1 -all', 'v=DKIM1; |p=abc', long])).toEqual([
    ['v=spf1 -all'],
    ['v=DKIM1; ', 'p=abc'],
    ['x'.repeat(255), 'x'.repeat(45)],
  ])
})

test('what is too long for a datagram comes by TCP', async () => {
  const many = Array.from({ length: 40 }, (_, index) => `${index} ${'y'.repeat(200)}`)
  expect(await asked(many)).toEqual(many.map((text) => [text]))
})

test('no such name and no such record are told apart', async () => {
  expect(await asked([], { name: 'other.test' })).toBe('ENOTFOUND')
  expect(await asked([])).toBe('ENODATA')
  expect(await asked(['x'], { name: `${'a'.repeat(64)}.test` })).toBe('EBADNAME')
})

test('an answer to another question does not count, and one that is cut off is a failure', async () => {
  const forged = (answer: Buffer) => {
    const other = Buffer.from(answer)
    other.writeUInt16BE(other.readUInt16BE(0) ^ 1, 0)
    return other.fill('z', other.length - 1)
  }
  expect(await asked(['ab'], { datagrams: (answer) => [Buffer.alloc(3), forged(answer), answer] })).toEqual([['ab']])
  const cutOff = await asked(['abc'], { datagrams: (answer) => [answer.subarray(0, answer.length - 2)] })
  expect(cutOff).toBe('EBADRESP')
})

test('a server that is away is passed over', async () => {
  const server = await startNameServer({ 'acme.test': { TXT: ['here'] } })
  expect(await resolveTexts('acme.test', ['127.0.0.1:1', server.address])).toEqual([['here']])
  server.close()
})
