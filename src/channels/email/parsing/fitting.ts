import { AppError } from '../../../errors.ts'
import { MAX_HTML, MAX_SAFE_HTML, MAX_TAGS } from '../../../lib/html/limits.ts'
import { cut } from '../../../lib/text/one-line.ts'
import { contentOf } from '../../../tickets/thread/content.ts'

/** How many times longer a form of a message can get at worst, where every line is deep in quotes. */
const GROWTH = 80

interface Forms {
  html: string | null
  text: string | null
}

/** The start of both forms, as much as a message may be: what is left out is in the raw mail. `contentOf` takes the result. */
export function fit({ html, text }: Forms): Forms {
  let forms: Forms = { html: html && cutHtml(html, MAX_HTML), text: text && cutBytes(text, MAX_HTML) }
  while (!isTaken(forms)) {
    const longest = Math.max(forms.html?.length ?? 0, forms.text?.length ?? 0)
    forms = {
      html: forms.html && cutHtml(forms.html, longest / 4),
      text: forms.text && cutBytes(forms.text, longest / 4),
    }
  }
  return forms
}

function isTaken({ html, text }: Forms): boolean {
  if (((html?.length ?? 0) + (text?.length ?? 0)) * GROWTH <= MAX_SAFE_HTML) return true
  try {
    contentOf({ html, text })
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}

/** Never ends within a tag. */
function cutHtml(html: string, max: number): string {
  let tags = 0
  let end = 0
  for (let at = html.indexOf('<'); at !== -1 && tags <= MAX_TAGS; at = html.indexOf('<', at + 1)) {
    tags += 1
    end = at
  }
  const short = cutBytes(tags > MAX_TAGS ? html.slice(0, end) : html, max)
  if (short.length === html.length) return html
  const open = short.lastIndexOf('<')
  return open > short.lastIndexOf('>') ? short.slice(0, open) : short
}

function cutBytes(text: string, max: number): string {
  if (text.length * 3 <= max || Buffer.byteLength(text) <= max) return text
  const bytes = Buffer.from(text).subarray(0, max)
  return cut(bytes.toString().replace(/\uFFFD+$/, ''), max)
}
