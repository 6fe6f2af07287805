import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { fingerprintOf, isSealed, parseKey, sealerWith } from '../../src/secrets/seal.ts'

const key = randomBytes(32)
const { seal, open } = sealerWith(key)

describe('what is sealed', () => {
  test.each(['', 'hush', 'pässwörd ✓', 'x'.repeat(10_000)])('opens as it was', (plain) => {
    expect(open(seal(plain, 'here'), 'here')).toBe(plain)
  })

  test('says nothing, and not even that it is the same', () => {
    const [once, again] = [seal('unmistakable', 'here'), seal('unmistakable', 'here')]
    expect(once).not.toContain('unmistakable')
    expect(Buffer.from(once.slice(8), 'base64url').toString('latin1')).not.toContain('unmistakable')
    expect(once).not.toBe(again)
    expect([isSealed(once), isSealed('{"a":1}'), isSealed('')]).toEqual([true, false, false])
  })

  test('does not open elsewhere, with another key, or changed', () => {
    const sealed = seal('hush', 'here')
    expect(() => open(sealed, 'there')).toThrow()
    expect(() => sealerWith(randomBytes(32)).open(sealed, 'here')).toThrow()
    const bytes = Buffer.from(sealed.slice(8), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] as number) ^ 1
      expect(() => open(`sealed1.${changed.toString('base64url')}`, 'here')).toThrow()
    }
    for (const short of ['', 'sealed1.', 'sealed1.AAAA', 'hush'])
      expect(() => open(short, 'here')).toThrow('not a sealed')
  })
})

test('a key is 32 bytes in Base64, and has a fingerprint of its own', () => {
  const text = key.toString('base64')
  expect(parseKey(text)).toEqual(key)
  for (const bad of [
    '',
    text.slice(1),
    `${text}=`,
    randomBytes(31).toString('base64'),
    key.toString('base64url'),
    key.toString('hex'),
  ])
    if (bad !== text) expect(parseKey(bad)).toBeNull()
  expect(fingerprintOf(key)).not.toBe(fingerprintOf(randomBytes(32)))
})
