import { expect, test } from 'bun:test'
import { compact } from '../../../src/lib/assets/compact.ts'

test('a style sheet goes without its comments and the space that it does not need', () => {
  const css = `
/* What "it" is: { for } */
:root, .a > .b :hover {
  margin: calc(1px + 2px) 0 ;
  content: "!"; /* The end. */
}

@media (width > 10px) and (hover: hover) { .a:not(.b) .c { color: red; } /* don't */ }
`
  expect(compact(css)).toBe(
    ':root,.a>.b :hover{margin:calc(1px + 2px) 0;content:"!"}@media (width>10px) and (hover:hover){.a:not(.b) .c{color:red}}',
  )
})

test('its strings stay as they are', () => {
  const css = '.a { content: ": , \\" ; } /* x */  >" / ""; quotes: "( " " )" }'
  expect(compact(css)).toBe('.a{content:": , \\" ; } /* x */  >" / "";quotes:"( " " )"}')
})
