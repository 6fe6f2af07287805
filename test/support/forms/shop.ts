/**
 * Another site, which has forms of ours in its page, under a policy as strict as can be. `frames`: further sites that
 * its frames may show. Stop it when done.
 */
export function openShop(body: string, service: string, head = '', styles = "'none'", frames = '') {
  const html = `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body><main><h1>Shop</h1>${body}</main></body></html>`
  const policy = `default-src 'none'; script-src ${service}; frame-src ${service} ${frames}; style-src ${styles}; base-uri 'none'`
  const headers = { 'content-type': 'text/html', 'content-security-policy': policy }
  const server = Bun.serve({ port: 0, fetch: () => new Response(html, { headers }) })
  return { url: `http://localhost:${server.port}`, close: () => server.stop(true) }
}
