/**
 * How fast `post` is beside fetch, and whether receivers that never answer hold up live ones:
 * `bun test/bench/outbound-post.ts`. The receiver runs in a process of its own.
 */
import { post } from '../../src/lib/network/outbound-post.ts'
import { testCa } from '../support/webhooks/receiver.ts'

const RECEIVER = `
  const tls = { key: Bun.file('receiver-key.pem'), cert: Bun.file('receiver.pem') }
  const ports = [undefined, tls].map((tls) => Bun.serve({ port: 0, hostname: '127.0.0.1', idleTimeout: 0, tls, fetch }).port)
  async function fetch(request) {
    await request.arrayBuffer()
    return request.url.endsWith('/hang') ? new Promise(() => {}) : new Response('ok')
  }
  console.log(JSON.stringify(ports))`
const body = new Uint8Array(2000).fill(120)

const receiver = Bun.spawn([process.execPath, '-e', RECEIVER], {
  cwd: `${import.meta.dir}/../support/servers/certs`,
  stdout: 'pipe',
})
const { value } = await receiver.stdout.getReader().read()
const [httpPort, httpsPort] = JSON.parse(new TextDecoder().decode(value))

const urls = [`http://127.0.0.1:${httpPort}`, `https://127.0.0.1:${httpsPort}`]

for (const url of urls) {
  for (const parallel of [1, 32, 200]) {
    const rounds: { ratio: number; ours: number }[] = []
    for (let round = 0; round < 5; round++) {
      const bare = await perSecond(3000, parallel, () => bareFetch(url))
      const ours = await perSecond(3000, parallel, () => send(url))
      rounds.push({ ratio: ours / bare, ours })
    }
    const { ratio, ours } = rounds.sort((a, b) => a.ratio - b.ratio)[2] as (typeof rounds)[0]
    console.error(
      `${url}, ${parallel} at a time: ${ours.toFixed(0)} posts/s, ${ratio.toFixed(2)} of the speed of fetch`,
    )
  }
}

for (const url of urls) {
  const hanging = Array.from({ length: 1000 }, () => send(`${url}/hang`, 60_000))
  await Bun.sleep(1000)
  const ms = 50_000 / (await perSecond(50, 50, () => send(url)))
  console.error(`${url}: 50 live posts beside ${hanging.length} that hang took ${ms.toFixed(0)} ms`)
}
process.exit()

/** Calls `work` `n` times, `parallel` at a time. */
async function perSecond(n: number, parallel: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  let left = n
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return (n * 1000) / (performance.now() - started)
}

async function send(url: string, timeoutMs = 5000): Promise<void> {
  const { error } = await post({ url, headers: {}, body, timeoutMs, allowPrivate: true, ca: testCa })
  if (error) throw new Error(error)
}

async function bareFetch(url: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body, tls: { ca: testCa } })
  await response.text()
}
