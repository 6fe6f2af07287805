/**
 * Whether the page is light or dark where an element stands. Most sites are one of them on every device: a form that
 * went by the device would be a dark box in a light page.
 */
export function schemeAround(element: Element): 'light' | 'dark' {
  for (let around: Element | null = element; around; around = around.parentElement) {
    const light = lightnessOf(getComputedStyle(around).backgroundColor)
    if (light !== null) return light < 0.5 ? 'dark' : 'light'
  }
  // Where nothing has a background, it is the browser's, in a scheme that the page takes.
  const { colorScheme } = getComputedStyle(document.documentElement)
  const taken =
    colorScheme === 'normal'
      ? (document.querySelector<HTMLMetaElement>('meta[name="color-scheme" i]')?.content ?? '')
      : colorScheme
  const isDark = /dark/i.test(taken) && (!/light/i.test(taken) || matchMedia('(prefers-color-scheme: dark)').matches)
  return isDark ? 'dark' : 'light'
}

/** From 0 for black to 1 for white, of a colour as browsers compute it; null for one that is seen through. */
function lightnessOf(colour: string): number | null {
  const [, kind = '', values = ''] = /^([a-z]+)\((?:[a-z][\w-]* )?(.*)\)$/.exec(colour) ?? []
  const [first = 0, second = 0, third = 0, alpha = 1] = (values.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number)
  if (kind === '' || alpha < 0.5) return null
  if (kind.startsWith('ok')) return first
  if (kind === 'lab' || kind === 'lch') return first / 100
  const brightness = 0.3 * first + 0.59 * second + 0.11 * third
  return kind.startsWith('rgb') ? brightness / 255 : brightness
}
