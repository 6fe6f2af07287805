/* What a chat costs at least: a bare server that passes each message on to its socket, and stores nothing. */

const server = Bun.serve<{ id: string }>({
  port: 0,
  async fetch(request, server) {
    const id = new URL(request.url).pathname
    if (server.upgrade(request, { data: { id } })) return undefined
    const message = (await request.json()) as { text: string }
    server.publish(id, JSON.stringify({ type: 'message', message }))
    return Response.json(message)
  },
  websocket: {
    open(socket) {
      socket.subscribe(socket.data.id)
    },
    message() {},
  },
})
process.stdout.write(`${server.port}\n`)

export {}
