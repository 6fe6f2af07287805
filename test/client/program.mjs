// Run by `package.test.ts` with each program that runs scripts, in a folder where the package is installed.
import { createClient, FrontdeskError, verify } from 'frontdesk-client'

const [baseUrl, key] = (globalThis.Deno?.args ?? globalThis.process.argv.slice(2)).slice(-2)
const client = createClient({ baseUrl, key })

for (const name of ['Ada', 'Bo', 'Cy']) await client.createContact({ email: `${name}@acme.test`, name })
const names = []
for await (const { name } of client.listContacts({ limit: 2 })) names.push(name)
const { items, nextCursor } = await client.listContacts({ limit: 1 })
const refusal = await client.createContact({ email: 'ada@acme.test' }).catch((error) => error)
const body = '{"batchId":"b1","events":[]}'
const headers = { 'x-signature': 'DinCJKU1Q+Mp+GdE46qu29tLul5NICsiEvyFKy+fXVs=' }
const said = {
  names,
  page: [items.length, typeof nextCursor],
  refusal: [refusal instanceof FrontdeskError, refusal.code, refusal.status, typeof refusal.requestId, refusal.message],
  verified: await verify('topsecret', body, headers),
  forged: (await verify('topsecret', `${body} `, headers).catch((error) => error)).code,
}
// biome-ignore lint/suspicious/noConsole: this is what it says
console.log(JSON.stringify(said))
