import { RenderedPages } from '../hosted/rendered-pages.ts'
import { SplicedText } from '../lib/text/spliced-text.ts'
import type { HelpFrame } from './frame.ts'
import { styleVersion as version } from './styles.ts'

/** Ends what is kept; the text before it is all there is. */
const END = crypto.randomUUID()

/** Pages of help centres as they are sent, each kept for as long as what it shows stays. */
export class KeptPages {
  readonly #rendered = new RenderedPages()

  /** What `make` writes, kept under `key`, which with the page's languages names all that it shows. */
  async answer(
    request: Request,
    { tongue, tongues }: HelpFrame,
    key: unknown[],
    headers: Record<string, string>,
    make: () => Promise<string>,
  ) {
    const name = JSON.stringify([version, tongue, tongues, ...key])
    const etag = `"${Bun.hash(name).toString(36)}"`
    const common = { ...headers, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' }
    if (request.headers.get('if-none-match')?.includes(etag))
      return new Response(null, { status: 304, headers: common })
    const text = await this.#rendered.find(name, async () => SplicedText.around(END, (await make()) + END))
    const compresses = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '')
    if (!compresses) return new Response(text.plain(''), { headers: common })
    return new Response(text.gzip(''), { headers: { ...common, 'content-encoding': 'gzip' } })
  }
}
