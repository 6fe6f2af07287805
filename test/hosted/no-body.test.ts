import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { startApp } from '../support/app.ts'

test('requests without a body count nothing of the JSON that an address may send to forms', async () => {
  const app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  const { hostname, port } = new URL(app.url)
  // As many of the largest body would be too much.
  for (let i = 0; i < 82; i += 1) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const socket = connect(Number(port), hostname, () => socket.write('DELETE /f/nothing HTTP/1.1\r\nHost: x\r\n\r\n'))
    socket.once('data', (data) => resolve(String(data)))
    socket.once('error', reject)
    expect(await promise).toStartWith('HTTP/1.1 404')
    socket.destroy()
  }
  await app.close()
})
