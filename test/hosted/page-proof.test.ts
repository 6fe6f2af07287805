import { expect, test } from 'bun:test'
import { checkPageProof, issuePageToken, MINIMUM_TIME } from '../../src/hosted/abuse.ts'

const at = Date.parse('2026-03-01T09:00:00.000Z')
const proof = { token: issuePageToken('form', at), website: '' }

/** What the check says, `passed` when nothing. */
function said(now: number, given = proof, form = 'form'): string {
  try {
    checkPageProof(given, form, now)
    return 'passed'
  } catch (error) {
    return (error as { code: string }).code
  }
}

test('a form is finished too fast until the least time has passed, to the millisecond', () => {
  expect(said(at)).toBe('too_soon')
  expect(said(at + MINIMUM_TIME - 1)).toBe('too_soon')
  expect(said(at + MINIMUM_TIME)).toBe('passed')
})

test('a page proves only what was signed for its form: no other time, form, or shorter signature', () => {
  const later = at + MINIMUM_TIME
  const [issued = '', signature = ''] = proof.token.split('.')
  expect(said(later, proof, 'another form')).toBe('invalid_request')
  for (const token of [
    `${(at - 1).toString(36)}.${signature}`,
    `${issued}.${signature.slice(1)}`,
    `${issued}.${signature}A`,
    `${issued}.`,
    issued,
    '',
  ]) {
    expect([token, said(later, { ...proof, token })]).toEqual([token, 'invalid_request'])
  }
})
