import type { Deps } from '../deps.ts'
import { file } from '../http/answers/file.ts'
import { passedOn } from '../http/when-asked-for.ts'
import { chapters, frontPage, monitoringFiles, pictures } from './chapters.ts'
import { chapterPage, foundPage, type GuideFrame, missingPage } from './page.ts'
import { assetVersion, copyScript, styleSheet } from './page-files.ts'
import { MAX_SEARCHED, searchGuide } from './search.ts'

const HTML = 'text/html; charset=utf-8'

/** Nothing runs but the button that copies code, nothing else is loaded but styles and pictures, and forms only search. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
}

/** The chapters as pages, their pictures and files, and the search in them. */
export function guidePages(deps: Deps) {
  const base = new URL(deps.config.baseUrl).pathname.replace(/\/$/, '')
  const frame: GuideFrame = { base, version: assetVersion }
  const routes = passedOn(deps)

  for (const chapter of [frontPage, ...chapters]) {
    const page = file(
      HTML,
      async () => {
        const { renderChapter } = await import('./rendering.ts')
        return chapterPage(frame, chapter, renderChapter(chapter, base))
      },
      PAGE_HEADERS,
    )
    routes.get(chapter.path, ({ request }) => page(request), { scope: 'page' })
  }
  for (const [name, path] of Object.entries(pictures)) {
    const picture = file('image/webp', async () => new Uint8Array(await Bun.file(path).arrayBuffer()))
    routes.get(`/docs/guide/pictures/${name}`, ({ request }) => picture(request), { scope: 'public' })
  }
  for (const [name, [path, type]] of Object.entries(monitoringFiles)) {
    const handedOut = file(type, async () => new Uint8Array(await Bun.file(path).arrayBuffer()))
    routes.get(`/docs/guide/monitoring/${name}`, ({ request }) => handedOut(request), { scope: 'public' })
  }
  const forever = { 'cache-control': 'public, max-age=31536000, immutable' }
  const style = file('text/css; charset=utf-8', async () => styleSheet, forever)
  const script = file('text/javascript; charset=utf-8', async () => copyScript, forever)
  return routes
    .get('/docs/guide/guide.css', ({ request }) => style(request), { scope: 'public' })
    .get('/docs/guide/guide.js', ({ request }) => script(request), { scope: 'public' })
    .get('/docs/guide/search', ({ request }) => search(frame, request), { scope: 'page' })
    .get('/docs/guide/:chapter', () => answer(missingPage(frame), 404), { scope: 'page' })
}

async function search(frame: GuideFrame, request: Request): Promise<Response> {
  const asked = new URL(request.url).searchParams.get('q') ?? ''
  const question = asked.slice(0, MAX_SEARCHED).toWellFormed().trim()
  if (question === '') return new Response(null, { status: 303, headers: { location: `${frame.base}/docs/guide` } })
  return answer(foundPage(frame, question, await searchGuide(question)), 200)
}

function answer(text: string, status: number): Response {
  const headers = { ...PAGE_HEADERS, 'content-type': HTML, 'cache-control': 'no-store' }
  return new Response(text, { status, headers })
}
