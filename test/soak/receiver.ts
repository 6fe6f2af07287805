const EVENT_ID = /"eventId":"([^"]+)"/g

/** Receives webhooks of so many subscriptions, each at a path of its own, and keeps which events each was sent. */
export function startReceiver(subscriptions: number) {
  const seen = new Map<string, Uint8Array>()
  let deliveries = 0
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const index = Number(new URL(request.url).pathname.slice(1))
      for (const [, id = ''] of (await request.text()).matchAll(EVENT_ID)) {
        const who = seen.get(id) ?? new Uint8Array(subscriptions)
        who[index] = 1
        seen.set(id, who)
      }
      deliveries++
      return new Response()
    },
  })
  return {
    urls: Array.from({ length: subscriptions }, (_, index) => `http://127.0.0.1:${server.port}/${index}`),
    deliveries: () => deliveries,
    /** Of these events, how many times one was not sent to a subscription. */
    lost: (eventIds: readonly string[]) =>
      eventIds.reduce((sum, id) => sum + (seen.get(id)?.filter((had) => had === 0).length ?? subscriptions), 0),
    stop: () => server.stop(true),
  }
}
