import { Elysia } from 'elysia'
import icon from 'swagger-ui-dist/favicon-32x32.png' with { type: 'file' }
import css from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import bundle from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import motion from './motion.css' with { type: 'file' }
import start from './start.js' with { type: 'file' }

/** What the page loads, by the name under `/docs/`: our own copies, so it works without internet (decisions §10). */
export const assets = {
  'swagger-ui.css': { file: css, type: 'text/css; charset=utf-8' },
  'motion.css': { file: motion, type: 'text/css; charset=utf-8' },
  'swagger-ui-bundle.js': { file: bundle, type: 'text/javascript; charset=utf-8' },
  'start.js': { file: start, type: 'text/javascript; charset=utf-8' },
  'icon.png': { file: icon, type: 'image/png' },
}

/** Allows the page its own files and calls to its own host, nothing else. Swagger UI's icons are `data:` images. */
export const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * The plugin's page. It fixes its script to a CDN and starts it inline: both become files of ours. `base` is the path
 * the service is reached under, mostly ''.
 */
export async function swaggerPage(base: string): Promise<string> {
  const { swagger } = await import('@elysiajs/swagger')
  const plugin = swagger({
    provider: 'swagger-ui',
    path: '/docs',
    theme: `${base}/docs/swagger-ui.css`,
    autoDarkMode: false,
    documentation: { info: { title: 'frontdesk API', description: 'Reference of the frontdesk API', version: '1' } },
  })
  const html = await (await new Elysia().use(plugin).handle(new Request('http://localhost/docs'))).text()
  const scripts =
    `<script src="${base}/docs/swagger-ui-bundle.js"></script>\n` +
    `    <script src="${base}/docs/start.js" data-base="${base}"></script>\n`
  return html
    .replace('<div id="swagger-ui">', `${furtherPages(base)}\n    <div id="swagger-ui">`)
    .replace('</head>', `    ${links(base)}\n</head>`)
    .replace(/<script src="https:.*(?=<\/body>)/s, scripts)
}

function links(base: string): string {
  return `<link rel="stylesheet" href="${base}/docs/motion.css" />\n    <link rel="icon" href="${base}/docs/icon.png" />`
}

/** In the page's own looks, light and dark. */
function furtherPages(base: string): string {
  return `<nav class="swagger-ui" aria-label="Documentation"><div class="wrapper info"><p><a href="${base}/docs/guide">Guide</a>: how to run frontdesk, work with it and build on it</p>
    <p><a href="${base}/docs/changelog">Changelog</a>: what the API has gained, and what it promises</p></div></nav>`
}
