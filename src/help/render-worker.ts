import { renderArticle } from './markup.ts'
import type { ToRender } from './rendering.ts'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<ToRender>) => {
  try {
    self.postMessage({ html: renderArticle(data) })
  } catch (error) {
    self.postMessage({ failure: error instanceof Error ? error.message : String(error) })
  }
}

self.postMessage({ ready: true })
