import { expect, test } from 'bun:test'
import { signedAddress } from '../../src/files/s3-signing.ts'

const secretAccessKey = 'secret/+='

/** Parameters that Bun's own client can sign beside the others. */
const ASKED = { 'response-content-disposition': `attachment; filename="a (1)*'!~.tar"` }

test.each([
  ['of a region', { region: 'eu-west-1' }],
  ['of another store', { endpoint: 'http://127.0.0.1:9000' }],
  ['with a temporary account', { endpoint: 'https://s3.example.com', sessionToken: 'token/+=' }],
])('an address is signed as by Bun’s own client: %s', (_which, given) => {
  const client = new Bun.S3Client({ bucket: 'files', accessKeyId: 'key', secretAccessKey, ...given })
  for (const key of ['kept/frontdesk-2026-11-24T03-00-00Z-1f0c9a3e.tar', 'a b/ä&c+d']) {
    const both = () => [
      client.presign(key, { method: 'GET', expiresIn: 60, contentDisposition: ASKED['response-content-disposition'] }),
      signedAddress(client, secretAccessKey, { method: 'GET', key, parameters: ASKED }),
    ]
    const [expected, made] = sameSecond(both)
    expect(new URL(made as string).pathname).toBe(new URL(expected as string).pathname)
    const sorted = (address: string) => [...new URL(address).searchParams].sort()
    expect(sorted(made as string)).toEqual(sorted(expected as string))
  }
})

/** What is made within one second, by which both are signed: tries again where another began in between. */
function sameSecond(make: () => string[]): string[] {
  for (;;) {
    const made = make()
    if (new Set(made.map((address) => new URL(address).searchParams.get('X-Amz-Date'))).size === 1) return made
  }
}
