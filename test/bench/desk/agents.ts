/**
 * Consoles that are open at the list, each as the one tab of its browser that tells of alerts: it hears the stream of events of
 * its session, and asks for the list once it has changed. Arguments: origin, a file of cookies, one a line. Prints how many are open once all are.
 */

const [address, file] = process.argv.slice(2) as [string, string]
const cookies = (await Bun.file(file).text()).split('\n').filter(Boolean)
/** As a page waits for more changes, in milliseconds. */
const PAUSE = 500

async function keepOpen(cookie: string, opened: () => void): Promise<void> {
  const headers = { cookie }
  let isAsked = false
  const look = async () => {
    isAsked = false
    await (await fetch(`${address}/console/inbox`, { headers })).text()
  }
  for (;;) {
    const stream = await fetch(`${address}/console/inbox/events?alerts=`, { headers, timeout: false } as RequestInit)
    if (!stream.ok || !stream.body) throw new Error(`events: ${stream.status}`)
    opened()
    const decoder = new TextDecoder()
    for await (const chunk of stream.body) {
      const spread = /event: changed\ndata: {"spread":(\d+)/.exec(decoder.decode(chunk, { stream: true }))?.[1]
      if (isAsked || spread === undefined) continue
      isAsked = true
      setTimeout(look, PAUSE + Math.random() * Number(spread))
    }
  }
}

await Promise.all(cookies.map((cookie) => new Promise<void>((resolve) => void keepOpen(cookie, resolve))))
process.stdout.write(`${cookies.length}\n`)

export {}
