import { expect, test } from 'bun:test'
import { withDirections } from '../../../src/lib/html/direction.ts'

test('every part of a mail runs as its own text does, where any runs from right to left', () => {
  expect(withDirections('<p><strong>Maja</strong></p><p style="x">مرحبا</p><blockquote><p>Hi</p></blockquote>')).toBe(
    '<div dir="auto"><p dir="auto"><strong>Maja</strong></p><p dir="auto" style="x">مرحبا</p><blockquote><p dir="auto">Hi</p></blockquote></div>',
  )
  // What says its direction keeps it, and what only begins like a paragraph is none.
  const kept = '<p dir="ltr">א</p><picture></picture><ul><li>א</li></ul>'
  expect(withDirections(kept)).toBe(`<div dir="auto">${kept.replace('<ul>', '<ul dir="auto">')}</div>`)
})

test('a mail without any stays as it is', () => {
  expect(withDirections('<p>Grüße, 日本</p>')).toBe('<p>Grüße, 日本</p>')
})
