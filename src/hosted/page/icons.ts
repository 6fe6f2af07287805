import { type Markup, trustedHtml } from '../../lib/html/markup.ts'

/** Line drawings after Feather (MIT); decoration, the words beside them say the same. */
export const icons = {
  star: lineIcon('M12 2l3.09 6.26L22 9.27l-5 4.87 1.18 6.88L12 17.77l-6.18 3.25L7 14.14 2 9.27l6.91-1.01z'),
  thumbsUp: lineIcon(
    'M14 9V5a3 3 0 0 0-3-3l-4 9v11h11.28a2 2 0 0 0 2-1.7l1.38-9a2 2 0 0 0-2-2.3zM7 22H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2h3',
  ),
  thumbsDown: lineIcon(
    'M10 15v4a3 3 0 0 0 3 3l4-9V2H5.72a2 2 0 0 0-2 1.7l-1.38 9a2 2 0 0 0 2 2.3zM17 2h2.67A2.31 2.31 0 0 1 22 4v7a2.31 2.31 0 0 1-2.33 2H17',
  ),
  tick: lineIcon('M20 6L9 17l-5-5'),
  cross: lineIcon('M18 6L6 18M6 6l12 12'),
  smile: lineIcon('M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM8 14s1.5 2 4 2 4-2 4-2M9 9h.01M15 9h.01'),
  frown: lineIcon('M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM16 16s-1.5-2-4-2-4 2-4 2M9 9h.01M15 9h.01'),
  up: lineIcon('M12 19V5M5 12l7-7 7 7'),
  down: lineIcon('M12 5v14M19 12l-7 7-7-7'),
  handle: lineIcon('M9 5h.01M15 5h.01M9 12h.01M15 12h.01M9 19h.01M15 19h.01'),
  upload: lineIcon('M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M17 8l-5-5-5 5M12 3v12'),
  file: lineIcon('M13 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V9zM13 2v7h7'),
}

/** A drawing of one line, in the colour of the text. */
export function lineIcon(path: string): Markup {
  return trustedHtml(`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`)
}
