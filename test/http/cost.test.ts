import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** What Elysia puts into the code of a route when it guesses that something may look at it. */
const guesses = { cookies: 'parseCookie(', 'copied headers': 'headers.toJSON(', 'the server': 'getServer()' }

test('no route of the API pays for cookies, copied headers or the server, which none looks at', () => {
  const paid = createApp(app.deps)
    .routes.filter(({ path }) => path.startsWith('/v1/'))
    .flatMap((route) => {
      const code = route.compile().toString()
      return Object.entries(guesses).flatMap(([name, text]) =>
        code.includes(text) ? [`${route.method} ${route.path}: ${name}`] : [],
      )
    })
  expect(paid).toEqual([])
})
