/** What clients saw that asked a service without pause. */
export interface Seen {
  asked: number
  /** What was answered with another status than it should, or not at all, in words. */
  readonly lost: string[]
  /** Ids of contacts whose creation was acknowledged. */
  readonly acknowledged: string[]
  /** In milliseconds. */
  slowest: number
}

interface Asked {
  readonly url: string
  readonly key: string
  /** Ends them, once what they asked last is answered. */
  readonly signal: AbortSignal
  readonly count: number
}

/**
 * Clients that write and read in turn until `signal` is aborted: every other one on a connection that stays open, the
 * others on a new one for each request.
 */
export async function askOnAndOn({ url, key, signal, count }: Asked): Promise<Seen> {
  const seen: Seen = { asked: 0, lost: [], acknowledged: [], slowest: 0 }
  const client = async (name: number) => {
    const keepsOpen = name % 2 === 0
    for (let i = 0; !signal.aborted; i++) {
      const isWrite = i % 2 === 0
      const began = performance.now()
      seen.asked++
      try {
        const response = await fetch(`${url}/v1/contacts${isWrite ? '' : '?limit=5'}`, {
          method: isWrite ? 'POST' : 'GET',
          headers: {
            'x-api-key': key,
            'content-type': 'application/json',
            ...(keepsOpen ? {} : { connection: 'close' }),
          },
          keepalive: keepsOpen,
          ...(isWrite ? { body: JSON.stringify({ email: `${crypto.randomUUID()}@acme.test` }) } : {}),
        })
        const text = await response.text()
        if (response.status !== (isWrite ? 201 : 200)) seen.lost.push(`${response.status} ${text}`)
        else if (isWrite) seen.acknowledged.push(JSON.parse(text).id)
      } catch (error) {
        seen.lost.push(String(error))
      }
      seen.slowest = Math.max(seen.slowest, performance.now() - began)
      await Bun.sleep(keepsOpen ? name * 20 : 0)
    }
  }
  await Promise.all(Array.from({ length: count }, (_, name) => client(name)))
  return seen
}

/** Of these contacts, the ids of those that the service does not have. */
export async function missing(url: string, key: string, ids: readonly string[]): Promise<string[]> {
  const statuses: string[] = []
  for (const id of ids) {
    const { status } = await fetch(`${url}/v1/contacts/${id}`, { headers: { 'x-api-key': key } })
    if (status !== 200) statuses.push(id)
  }
  return statuses
}
