/**
 * The floor of going from ticket to ticket: a bare server that has the same pages ready, and a page that puts the next one's
 * panes in the place of its own. Argument: a folder of them, `style.css` and `0.html`, `1.html` … Prints its port.
 */

const [folder] = process.argv.slice(2) as [string]
const SCRIPT = `let at = 0
addEventListener('keydown', async ({ key }) => {
  if (key !== 'j') return
  at += 1
  const text = await (await fetch(at + '.html')).text()
  const page = new DOMParser().parseFromString(text, 'text/html')
  document.querySelector('.panes').replaceWith(document.importNode(page.querySelector('.panes'), true))
})`

const floor = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === '/script.js') return new Response(SCRIPT, { headers: { 'content-type': 'text/javascript' } })
    return new Response(Bun.file(folder + pathname))
  },
})
process.stdout.write(`${floor.port}\n`)

export {}
