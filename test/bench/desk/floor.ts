/**
 * The floor of what the desk does: a bare server that has the same pages ready, and a page that puts the next one's panes in
 * the place of its own, at the key `j` and whenever somebody says something (`POST /say`). Argument: a folder of them,
 * `style.css` and `0.html`, `1.html` … Prints its port.
 */

const [folder] = process.argv.slice(2) as [string]
const SCRIPT = `let at = 0
const next = async () => {
  at += 1
  const text = await (await fetch(at + '.html')).text()
  const page = new DOMParser().parseFromString(text, 'text/html')
  document.querySelector('.panes').replaceWith(document.importNode(page.querySelector('.panes'), true))
}
addEventListener('keydown', ({ key }) => { if (key === 'j') void next() })
const source = new EventSource('events')
source.addEventListener('said', next)
source.addEventListener('open', () => { document.documentElement.dataset.listens = 'yes' })`

const listening = new Set<ReadableStreamDefaultController<string>>()

function events(): Response {
  let own: ReadableStreamDefaultController<string> | undefined
  const body = new ReadableStream<string>({
    start: (controller) => {
      own = controller
      listening.add(controller)
      controller.enqueue(':\n\n')
    },
    cancel: () => void (own && listening.delete(own)),
  })
  return new Response(body as unknown as ReadableStream, { headers: { 'content-type': 'text/event-stream' } })
}

const floor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === '/script.js') return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    if (pathname === '/events') return events()
    if (pathname !== '/say') return new Response(Bun.file(folder + pathname))
    for (const controller of listening) controller.enqueue('event: said\ndata: {}\n\n')
    return new Response()
  },
})
process.stdout.write(`${floor.port}\n`)

export {}
